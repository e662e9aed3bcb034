// SPDX-License-Identifier: MIT
#include "check_documents.hpp"

#include <algorithm>

#include "text.hpp"

namespace packscope {
namespace {

Status check_size(std::string_view name, std::size_t size, std::size_t documents) {
  if (size == 0 || size == documents) return {};
  return Error{ErrorCode::length_mismatch,
               concat(name, " has ", size, " entries for ", documents, " documents")};
}

std::uint64_t place_of(std::span<const std::uint32_t> values, std::uint32_t value) {
  return static_cast<std::uint64_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

Status check_lengths(std::span<const std::uint32_t> lengths, std::uint64_t first_document,
                     std::uint32_t longest) {
  if (longest <= kMaxDocumentLength) return {};
  const std::uint64_t document = first_document + place_of(lengths, longest);
  return Error{ErrorCode::too_large,
               concat("document ", document, " has ", longest, " tokens, more than the limit of ",
                      kMaxDocumentLength, "; split it before packing"),
               document};
}

Status check_sources(const Documents& documents, const Options& options, std::uint64_t first_document) {
  if (documents.sources.empty()) {
    if (options.homogeneity == Homogeneity::none || documents.lengths.empty()) return {};
    return Error{ErrorCode::unknown_source,
                 concat("homogeneity=", get_option(options, "homogeneity"),
                        " needs the source of every document; document ", first_document, " has none"),
                 first_document};
  }
  const std::size_t source_count = std::max<std::size_t>(documents.source_names.size(), 1);
  const std::uint32_t last_source = *std::max_element(documents.sources.begin(), documents.sources.end());
  if (last_source < source_count) return {};
  const std::uint64_t document = first_document + place_of(documents.sources, last_source);
  return Error{ErrorCode::unknown_source,
               concat("document ", document, " has source ", last_source, ", but only ",
                      documents.source_names.size(), " source names are given"),
               document};
}

}  // namespace

Status check_documents(const Documents& documents, const Options& options, std::uint64_t first_document) {
  return check_documents(documents, options, first_document, length_totals(documents.lengths));
}

Status check_documents(const Documents& documents, const Options& options, std::uint64_t first_document,
                       const LengthTotals& totals) {
  const std::size_t count = documents.lengths.size();
  if (first_document + count > kMaxDocuments) {
    return Error{ErrorCode::too_large,
                 concat(first_document + count, " documents are more than the limit of ", kMaxDocuments,
                        "; pack them in several runs")};
  }
  if (auto status = check_size("sources", documents.sources.size(), count); !status) return status;
  if (auto status = check_size("duplicates", documents.duplicates.size(), count); !status) return status;
  if (auto status = check_lengths(documents.lengths, first_document, totals.longest); !status) return status;
  return check_sources(documents, options, first_document);
}

}  // namespace packscope
