// SPDX-License-Identifier: MIT
#include "text_reader.hpp"

#include <utility>

#include "byte_tokenizer.hpp"

namespace packscope::native {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

void append_document(CorpusData& corpus, std::string_view text) {
  append_bytes(corpus.tokens, text);
  corpus.document_offsets.push_back(corpus.tokens.size());
}

}  // namespace

Status read_text_lines(ByteSource source, const ReadOptions& options, CorpusData& corpus,
                       const ReadProgress& progress) {
  corpus.tokens_known = true;
  const std::uint64_t before = corpus.document_count();
  const std::string name = source.name();
  LineReader lines(std::move(source), corpus.repairs, progress);
  while (!options.limit_documents || corpus.document_count() < *options.limit_documents) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line) return line.error();
    if (!*line) break;
    append_document(corpus, **line);
  }
  corpus.files.push_back({name, corpus.document_count() - before});
  return {};
}

Status read_text_file(ByteSource source, CorpusData& corpus, const ReadProgress& progress) {
  corpus.tokens_known = true;
  Result<std::string> bytes = read_all(source, progress);
  if (!bytes) return bytes.error();
  std::string_view text = *bytes;
  if (text.starts_with(kUtf8Mark)) {
    text.remove_prefix(kUtf8Mark.size());
    ++corpus.repairs.byte_order_marks;
  }
  append_document(corpus, text);
  corpus.files.push_back({source.name(), 1});
  return {};
}

}  // namespace packscope::native
