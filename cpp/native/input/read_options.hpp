// SPDX-License-Identifier: MIT
// How input is read: its kind, and which fields of a record hold what.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/corpus_data.hpp"
#include "input/stored_integers.hpp"
#include "input/text_tokenizer.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

enum class InputKind : std::uint8_t {
  jsonl,
  text,
  text_files,
  lengths,
  histogram,
  npy,
  npy_tokens,
  megatron,
  tokens,
  corpus,
};
std::string_view input_kind_name(InputKind kind);  // "text-files"
std::optional<InputKind> input_kind_named(std::string_view name);
inline constexpr std::string_view kInputKindNames =
    "jsonl|text|text-files|lengths|histogram|npy|npy-tokens|megatron|tokens|corpus";

// Of a raw token file, by the names of --token-type; nothing for another name.
inline constexpr std::string_view kTokenTypeNames = "uint16|uint32";
std::optional<IntegerType> token_type_named(std::string_view name);
std::string_view token_type_name(const IntegerType& type);

struct ReadOptions {
  std::optional<InputKind> input;  // none: told by each file's name
  std::string tokens_field;        // empty: input_ids, unless text is asked for
  std::vector<std::string> text_fields;
  std::string text_join = "\n";
  std::string tokenizer{kByteTokenizer};  // or the file of a SentencePiece model
  std::string tokenizer_checksum;         // the model must have this one; empty: any
  std::string prompt_field;
  std::string completion_field;
  std::string loss_mask_field;
  std::string prompt_length_field;
  std::string source_field;
  std::string labels_field;
  std::vector<std::string> ignored_fields;
  std::vector<std::string> offsets;       // of .npy tokens: a file for each input
  std::optional<IntegerType> token_type;  // of raw token files, as is the next
  std::optional<std::uint32_t> end_of_document;
  std::optional<std::uint64_t> limit_documents;
  std::optional<std::uint32_t> vocab_size;  // ids from here on are errors
  TokenMemory token_memory;                 // the result is the same for any
  unsigned threads = 1;                     // the result is the same for any number
  bool keep_records = false;
  TakeDocuments take_documents;  // as they are read; none: all of them together, at the end
  // [D] 1 = the tokens are wanted; the rest of a corpus folder stays on the disk. None: all are.
  const std::vector<std::uint8_t>* needed_documents = nullptr;
  bool lengths_only = false;  // tokens are checked and counted, and kept only to compare labels with

  [[nodiscard]] bool reads_text() const { return !text_fields.empty() || !prompt_field.empty(); }
  [[nodiscard]] std::int64_t largest_token_id() const {
    return vocab_size ? std::int64_t{*vocab_size} - 1 : std::numeric_limits<std::int32_t>::max();
  }
  [[nodiscard]] bool keeps_tokens() const { return !lengths_only || !labels_field.empty(); }
};

inline constexpr std::string_view kDefaultTokensField = "input_ids";

// Whether tokens are made of text; otherwise they, or lengths alone, are in the input.
bool tokenizes(InputKind kind, const ReadOptions& options);

// Flags that contradict each other, or one field named for two purposes.
Status check_read_options(const ReadOptions& options);

// What a kind needs to be told and is not, or was told of another kind.
Status check_kind_options(InputKind kind, std::size_t files, const ReadOptions& options);

// The kind that all of `paths` have: the option, or by their names (a token file with an index beside it is
// Megatron's). Errors where a name tells nothing or two files differ.
Result<InputKind> input_kind(std::span<const std::string> paths, const ReadOptions& options);

}  // namespace packscope::native
