// SPDX-License-Identifier: MIT
// JSON lines: one object a line, with token ids or with text to tokenize.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/corpus_data.hpp"
#include "input/field_columns.hpp"
#include "input/flat_record.hpp"
#include "input/line_blocks.hpp"
#include "input/read_options.hpp"
#include "input/text_tokenizer.hpp"
#include "message.hpp"

namespace packscope::native {

class JsonLinesReader {
 public:
  // Appends to `corpus`. All must outlive the reader.
  JsonLinesReader(const ReadOptions& options, const TextTokenizer& tokenizer, CorpusData& corpus);

  // Appends the documents of one file, up to limit_documents in all.
  Status read(ByteSource source, const ReadProgress& progress);

  // Call once after the last file.
  void finish();

 private:
  // A field that the flags name, with its value in the current record.
  struct KnownField {
    std::string name;
    std::string_view flag;  // that named it, for messages
    std::optional<simdjson::dom::element> value;
  };

  std::size_t know(std::string_view name, std::string_view flag);
  Status read_lines(LineReader& lines);
  Status read_blocks(ByteSource source, const ReadProgress& progress);
  Status take_block(const LineBlock& block, const CorpusData& read, const Result<bool>& status);
  Result<std::optional<std::string_view>> next_line(LineReader& lines);
  std::string_view copied(std::string_view line);
  Status read_record(std::string_view line, const Place& place);
  bool read_flat_record();
  const FlatField* flat_field(std::string_view name) const;
  Status parse_record(std::string_view line, const Place& place);
  Status sort_fields(simdjson::dom::object record, const Place& place);
  Status read_tokens(const Place& place);
  Status read_text(const Place& place);
  Status tokenize(std::string_view text, const Place& place);
  void take_flat_texts();
  void end_prompt();
  Result<std::string_view> text_of(const KnownField& field, const Place& place) const;
  Status read_targets(const Place& place);
  Status read_loss_mask(const Place& place, std::span<std::uint8_t> mask);
  Status read_labels(const Place& place, std::span<std::uint8_t> mask);
  Status read_attention_mask(const Place& place);
  Status read_prompt_length(const Place& place);
  Status read_source(const Place& place);
  void take_source(std::string_view name);
  Result<simdjson::dom::element> required(const KnownField& field, const Place& place) const;
  Result<simdjson::dom::array> aligned_list(const KnownField& field, const Place& place) const;

  const ReadOptions& options_;
  const TextTokenizer& tokenizer_;
  CorpusData& corpus_;
  TokenStore* const kept_tokens_;       // none: lengths are enough
  bool only_strings_known_ = false;     // so that a flat record holds all we want
  bool is_flat_ = false;                // the current record is
  std::vector<FlatField> flat_fields_;  // of the current record, if it is flat
  std::string copied_line_;             // that others may change, for the parser
  std::uint64_t token_count_ = 0;       // of the current record
  simdjson::dom::parser parser_;
  std::vector<KnownField> known_;
  std::optional<std::size_t> tokens_, loss_mask_, labels_, prompt_length_, source_, attention_mask_;
  std::vector<std::size_t> texts_;       // in the order they are joined
  std::string text_;                     // joined before it is tokenized
  std::vector<std::string_view> names_;  // of the current record
  std::vector<std::string_view> lists_;  // of the current record, that may travel with the tokens
  FieldColumns columns_;
  std::string file_;                 // that is read
  std::uint64_t tokens_before_ = 0;  // that file
};

}  // namespace packscope::native
