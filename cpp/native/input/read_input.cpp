// SPDX-License-Identifier: MIT
#include "input/read_input.hpp"

#include <optional>
#include <utility>

#include "input/corpus_folder.hpp"
#include "input/json_lines_reader.hpp"
#include "input/lengths_reader.hpp"
#include "input/megatron_reader.hpp"
#include "input/npy_lengths_reader.hpp"
#include "input/npy_tokens_reader.hpp"
#include "input/text_reader.hpp"
#include "input/text_tokenizer.hpp"
#include "input/token_file_reader.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

// The one that the options name, if there is text to tokenize, and if it is the one they expect.
Result<TextTokenizer> open_tokenizer(InputKind kind, const ReadOptions& options) {
  const std::string name = tokenizes(kind, options) ? options.tokenizer : std::string(kByteTokenizer);
  Result<TextTokenizer> tokenizer = TextTokenizer::open(name);
  if (!tokenizer || options.tokenizer_checksum.empty()) return tokenizer;
  if (tokenizer->checksum() == options.tokenizer_checksum) return tokenizer;
  return bad_data("the tokenizer ", name, " is not the one that made the output: its checksum is ",
                  tokenizer->checksum().empty() ? "none" : tokenizer->checksum(), ", the manifest says ",
                  options.tokenizer_checksum, "; name that model with --tokenizer FILE");
}

// Kinds whose readers open their files themselves: these are several, or are mapped.
bool opens_files(InputKind kind) {
  return kind == InputKind::megatron || kind == InputKind::tokens || kind == InputKind::npy_tokens ||
         kind == InputKind::corpus;
}

// `index`: which of the inputs this is.
Status read_path(InputKind kind, const std::string& path, std::size_t index, const ReadOptions& options,
                 CorpusData& corpus, const ReadProgress& progress) {
  if (kind == InputKind::megatron) return read_megatron(path, options, corpus, progress);
  if (kind == InputKind::corpus) return read_corpus(path, options, corpus);
  if (kind == InputKind::tokens) return read_token_file(path, options, corpus, progress);
  return read_npy_tokens(path, options.offsets[index], options, corpus, progress);
}

}  // namespace

Result<CorpusData> read_input(std::span<const std::string> paths, const ReadOptions& options,
                              const ReadProgress& progress) {
  if (Status allowed = check_read_options(options); !allowed) return allowed.error();
  Result<InputKind> kind = input_kind(paths, options);
  if (!kind) return kind.error();

  if (Status told = check_kind_options(*kind, paths.size(), options); !told) return told.error();

  CorpusData corpus;
  corpus.token_memory = options.token_memory;
  corpus.take = options.take_documents;
  Result<TextTokenizer> tokenizer = open_tokenizer(*kind, options);
  if (!tokenizer) return tokenizer.error();
  corpus.tokenizer_checksum = tokenizer->checksum();  // a corpus folder has its own
  std::optional<JsonLinesReader> json;
  if (*kind == InputKind::jsonl) json.emplace(options, *tokenizer, corpus);
  const auto read_file = [&](ByteSource source) -> Status {
    switch (*kind) {
      case InputKind::jsonl:
        return json->read(std::move(source), progress);
      case InputKind::text:
        return read_text_lines(std::move(source), options, *tokenizer, corpus, progress);
      case InputKind::text_files:
        return read_text_file(std::move(source), options, *tokenizer, corpus, progress);
      case InputKind::lengths:
        return read_lengths(std::move(source), options, corpus, progress);
      case InputKind::histogram:
        return read_histogram(std::move(source), corpus, progress);
      case InputKind::npy:
        return read_npy_lengths(std::move(source), options, corpus, progress);
      case InputKind::npy_tokens:
      case InputKind::megatron:
      case InputKind::tokens:
      case InputKind::corpus:
        break;  // see opens_files
    }
    return {};
  };
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    if (options.limit_documents && corpus.document_count() >= *options.limit_documents) break;
    if (opens_files(*kind)) {
      if (Status read = read_path(*kind, path, i, options, corpus, progress); !read) return read.error();
      continue;
    }
    Result<ByteSource> source = ByteSource::open(path, &corpus.repairs);
    if (!source) return source.error();
    if (Status read = read_file(std::move(*source)); !read) return read.error();
  }
  if (json) json->finish();
  if (Status finished = corpus.finish(); !finished) return finished.error();
  return corpus;
}

}  // namespace packscope::native
