// SPDX-License-Identifier: MIT
#include "input/text_reader.hpp"

#include <utility>

#include "input/line_blocks.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

template <class Where>
Status append_document(const Where& where, std::string_view text, const TextTokenizer& tokenizer,
                       CorpusData& corpus) {
  const Result<std::uint64_t> count =
      tokenizer.tokenize(text, corpus.tokens_known ? &corpus.tokens : nullptr);
  if (!count) return bad_data(where, ": ", count.error().message);
  corpus.document_offsets.push_back(corpus.token_count() + *count);
  return corpus.settle();
}

Status append_lines(LineReader& lines, const ReadOptions& options, const TextTokenizer& tokenizer,
                    CorpusData& corpus) {
  while (!options.limit_documents || corpus.document_count() < *options.limit_documents) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line) return line.error();
    if (!*line) break;
    Status appended = append_document(lines.place(), **line, tokenizer, corpus);
    if (!appended) return appended;
  }
  return {};
}

}  // namespace

Status read_text_lines(ByteSource source, const ReadOptions& options, const TextTokenizer& tokenizer,
                       CorpusData& corpus, const ReadProgress& progress) {
  corpus.tokens_known = options.keeps_tokens();
  const std::uint64_t before = corpus.document_count();
  const std::string name = source.name();
  if (options.threads > 1 && !options.limit_documents) {
    const auto read = [&](LineReader& lines, CorpusData& part) -> Result<bool> {
      part.tokens_known = corpus.tokens_known;
      if (Status appended = append_lines(lines, options, tokenizer, part); !appended) return appended.error();
      return true;
    };
    const auto take = [&](const LineBlock& block, const CorpusData& part, const Result<bool>& status) {
      if (!status) {
        LineReader lines(block, name, corpus.repairs);
        return append_lines(lines, options, tokenizer, corpus);
      }
      corpus.append(part);
      return corpus.settle();
    };
    Status done = read_line_blocks(std::move(source), options.threads, progress, read, take);
    if (!done) return done;
  } else {
    LineReader lines(std::move(source), corpus.repairs, progress);
    if (Status appended = append_lines(lines, options, tokenizer, corpus); !appended) return appended;
  }
  corpus.files.push_back({name, corpus.document_count() - before});
  return {};
}

Status read_text_file(ByteSource source, const ReadOptions& options, const TextTokenizer& tokenizer,
                      CorpusData& corpus, const ReadProgress& progress) {
  corpus.tokens_known = options.keeps_tokens();
  Result<std::string> bytes = read_all(source, progress);
  if (!bytes) return bytes.error();
  std::string_view text = *bytes;
  if (text.starts_with(kUtf8Mark)) {
    text.remove_prefix(kUtf8Mark.size());
    ++corpus.repairs.byte_order_marks;
  }
  if (Status appended = append_document(source.name(), text, tokenizer, corpus); !appended) return appended;
  corpus.files.push_back({source.name(), 1});
  return {};
}

}  // namespace packscope::native
