// SPDX-License-Identifier: MIT
#include "packscope/group_by_length.hpp"

#include <algorithm>

#include "text.hpp"

namespace packscope {
namespace {

std::uint64_t padded_length(std::uint32_t length, const GroupByLengthOptions& options) {
  return (std::uint64_t{length} + options.pad_to - 1) / options.pad_to * options.pad_to;
}

Status check(std::span<const std::uint32_t> lengths, const GroupByLengthOptions& options) {
  if (options.pad_to == 0) return invalid_option("pad_to is 0: it must be 1 or more");
  if (options.max_tokens == 0 && options.max_rows == 0) {
    return invalid_option("max_tokens and max_rows are both 0: set at least one limit");
  }
  if (lengths.size() >= kNotGrouped) {
    return Error{ErrorCode::too_large, concat(lengths.size(), " documents exceed the limit of ",
                                              kNotGrouped - 1, ": group them in parts")};
  }
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  if (longest == lengths.end()) return {};
  const std::uint64_t padded = padded_length(*longest, options);
  const auto document = static_cast<std::uint64_t>(longest - lengths.begin());
  if (options.max_tokens != 0 && padded > options.max_tokens) {
    return Error{
        ErrorCode::document_too_long,
        concat("document ", document, " takes ", padded, " tokens when padded, more than max_tokens ",
               options.max_tokens, ": raise max_tokens or shorten the document"),
        document};
  }
  if (padded > UINT32_MAX) {
    return Error{
        ErrorCode::too_large,
        concat("document ", document, " takes ", padded, " tokens when padded, more than the limit of ",
               UINT32_MAX, ": lower pad_to or shorten the document"),
        document};
  }
  return {};
}

// Documents that have tokens, longest first, ties smallest index first.
std::vector<std::uint32_t> order_by_length(std::span<const std::uint32_t> lengths) {
  std::vector<std::uint32_t> order;
  order.reserve(lengths.size());
  for (std::uint32_t document = 0; document < lengths.size(); ++document) {
    if (lengths[document] > 0) order.push_back(document);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return lengths[a] > lengths[b]; });
  return order;
}

// Rows of a batch whose longest document takes `padded` positions.
std::uint64_t rows_that_fit(std::uint64_t padded, const GroupByLengthOptions& options) {
  const std::uint64_t by_tokens = options.max_tokens == 0 ? UINT64_MAX : options.max_tokens / padded;
  const std::uint64_t by_rows = options.max_rows == 0 ? UINT64_MAX : options.max_rows;
  return std::min(by_tokens, by_rows);
}

}  // namespace

Result<LengthGroups> group_by_length(std::span<const std::uint32_t> lengths,
                                     const GroupByLengthOptions& options) {
  if (Status status = check(lengths, options); !status) return status.error();
  LengthGroups groups;
  groups.order = order_by_length(lengths);
  groups.empty_documents = lengths.size() - groups.order.size();
  groups.position.assign(lengths.size(), kNotGrouped);
  for (std::uint32_t i = 0; i < groups.order.size(); ++i) {
    groups.position[groups.order[i]] = i;
    groups.real_tokens += lengths[groups.order[i]];
  }
  groups.batch_offsets.push_back(0);
  for (std::uint64_t begin = 0; begin < groups.order.size();) {
    const std::uint64_t padded =
        padded_length(lengths[groups.order[static_cast<std::size_t>(begin)]], options);
    const std::uint64_t rows = std::min(rows_that_fit(padded, options), groups.order.size() - begin);
    begin += rows;
    groups.batch_offsets.push_back(begin);
    groups.padded_lengths.push_back(static_cast<std::uint32_t>(padded));
    groups.padded_tokens += rows * padded;
  }
  return groups;
}

}  // namespace packscope
