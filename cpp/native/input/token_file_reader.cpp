// SPDX-License-Identifier: MIT
#include "input/token_file_reader.hpp"

#include "files/mapped_file.hpp"
#include "input/stored_tokens.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kDocumentsPerProgress = 1 << 12;

// The bytes of the first document, its end id included; all of `tokens` where none ends.
std::size_t document_bytes(std::span<const std::byte> tokens, const IntegerType& type, std::uint32_t end_id) {
  std::size_t bytes = 0;
  visit_integers(tokens, type, [&](std::int64_t id) {
    bytes += type.bytes;
    return id != std::int64_t{end_id};
  });
  return bytes;
}

bool ends_with_id(std::span<const std::byte> tokens, const IntegerType& type, std::uint32_t id) {
  return load_integer(tokens.data() + tokens.size() - type.bytes, type) == std::int64_t{id};
}

Status check_size(const std::string& path, std::size_t size, const ReadOptions& options) {
  const std::size_t width = options.token_type->bytes;
  if (size % width == 0) return {};
  return bad_data(path, ": ", counted_noun(size, "byte"), " are no whole number of ids of ", width,
                  " bytes; the file is cut short, or --token-type ", token_type_name(*options.token_type),
                  " is not what it holds");
}

}  // namespace

Status read_token_file(const std::string& path, const ReadOptions& options, CorpusData& corpus,
                       const ReadProgress& progress) {
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  std::span<const std::byte> rest = file->bytes();
  if (Status whole = check_size(path, rest.size(), options); !whole) return whole;

  const IntegerType type = *options.token_type;
  const std::uint32_t end_id = *options.end_of_document;
  const std::size_t total = rest.size();
  const std::uint64_t room = options.limit_documents.value_or(UINT64_MAX) - corpus.document_count();
  StoredTokens tokens(path, type, options, corpus);
  while (!rest.empty() && tokens.documents_done() < room) {
    const std::span<const std::byte> document = rest.first(document_bytes(rest, type, end_id));
    rest = rest.subspan(document.size());
    const bool is_ended = ends_with_id(document, type, end_id);
    if (!is_ended && tokens.documents_done() == 0) {
      return bad_data(path, ": none of its ", total / type.bytes, " tokens is the end-of-document id ",
                      end_id, "; check --end-of-document, and whether --token-type ", token_type_name(type),
                      " is what it holds");
    }
    if (!is_ended) ++corpus.repairs.unended_documents;
    const double share = static_cast<double>(tokens.bytes_done()) / static_cast<double>(total);
    if (Status added = tokens.add(document, share); !added) return added;
    if (Status ended = tokens.end_document(); !ended) return ended;
    if (progress && tokens.documents_done() % kDocumentsPerProgress == 0)
      progress(tokens.bytes_done(), total);
  }
  corpus.files.push_back({path, tokens.documents_done()});
  return {};
}

}  // namespace packscope::native
