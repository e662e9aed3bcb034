// SPDX-License-Identifier: MIT
#include "input/json_lines_reader.hpp"

#include <algorithm>
#include <utility>

#include "files/json_text.hpp"
#include "input/token_room.hpp"
#include "packscope/batch.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kMaxNamesShown = 12;

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string list_names(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNamesShown); ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  if (names.size() > kMaxNamesShown) text += ", ...";
  return text.empty() ? "no fields" : text;
}

Error stands_twice(std::string_view key, const Place& place) {
  return bad_data(place, ": the key '", key, "' stands twice in the record; keep one of them");
}

}  // namespace

JsonLinesReader::JsonLinesReader(const ReadOptions& options, const TextTokenizer& tokenizer,
                                 CorpusData& corpus)
    : options_(options),
      tokenizer_(tokenizer),
      corpus_(corpus),
      kept_tokens_(options.keeps_tokens() ? &corpus.tokens : nullptr),
      columns_(options.take_documents != nullptr) {
  corpus_.tokens_known = options.keeps_tokens();
  if (!options.prompt_field.empty()) {
    texts_ = {know(options.prompt_field, "--prompt-field"),
              know(options.completion_field, "--completion-field")};
  } else if (options.reads_text()) {
    for (const std::string& name : options.text_fields) texts_.push_back(know(name, "--text-field"));
  } else {
    const bool named = !options.tokens_field.empty();
    tokens_ = know(named ? std::string_view(options.tokens_field) : kDefaultTokensField, "--tokens-field");
    if (!holds(options.ignored_fields, "attention_mask")) attention_mask_ = know("attention_mask", "");
  }
  if (!options.loss_mask_field.empty()) loss_mask_ = know(options.loss_mask_field, "--loss-mask-field");
  if (!options.labels_field.empty()) labels_ = know(options.labels_field, "--labels-field");
  if (!options.source_field.empty()) source_ = know(options.source_field, "--source-field");
  if (!options.prompt_length_field.empty()) {
    prompt_length_ = know(options.prompt_length_field, "--prompt-length-field");
  }
  // Ids of a byte are those of text alone. Nothing else is read before.
  if (tokens_ || !tokenizer.takes_bytes()) corpus_.tokens.wide();
  only_strings_known_ = tokenizer.takes_bytes() && known_.size() == texts_.size() + (source_ ? 1 : 0);
}

std::size_t JsonLinesReader::know(std::string_view name, std::string_view flag) {
  known_.push_back({std::string(name), flag, {}});
  return known_.size() - 1;
}

Status JsonLinesReader::read(ByteSource source, const ReadProgress& progress) {
  const std::uint64_t before = corpus_.document_count();
  tokens_before_ = corpus_.token_count();
  file_ = source.name();
  if (only_strings_known_) source.prefer_mapping();  // see next_line()
  // A limit counts documents through all blocks: simplest one after the other.
  if (options_.threads > 1 && !options_.limit_documents) {
    if (Status read = read_blocks(std::move(source), progress); !read) return read;
  } else {
    LineReader lines(std::move(source), corpus_.repairs, progress);
    if (Status read = read_lines(lines); !read) return read;
  }
  corpus_.files.push_back({file_, corpus_.document_count() - before});
  return {};
}

Status JsonLinesReader::read_lines(LineReader& lines) {
  while (!options_.limit_documents || corpus_.document_count() < *options_.limit_documents) {
    Result<std::optional<std::string_view>> line = next_line(lines);
    if (!line) return line.error();
    if (!*line) break;
    // No record holds more tokens than bytes, joined texts aside.
    const std::size_t most_tokens = (*line)->size() + kUnescapePadding;
    if (kept_tokens_ != nullptr && kept_tokens_->room() < most_tokens) {
      make_room(*kept_tokens_, most_tokens, corpus_.token_count() - tokens_before_, lines.share(),
                corpus_.token_memory.bytes);
    }
    if (Status read = read_record(**line, lines.place()); !read) return read;
    if (Status settled = corpus_.settle(); !settled) return settled;
  }
  return {};
}

// The scan of a flat record finds the end of its line, too, so that it is not looked for before.
Result<std::optional<std::string_view>> JsonLinesReader::next_line(LineReader& lines) {
  static_assert(LineReader::kPaddingBytes >= kFlatPaddingBytes);
  const std::string_view ahead = lines.ahead();
  const std::size_t flat_bytes = only_strings_known_ ? scan_flat_line(ahead, flat_fields_) : 0;
  is_flat_ = flat_bytes > 0;
  if (is_flat_) return std::optional(lines.take_ahead(flat_bytes));
  Result<std::optional<std::string_view>> line = next_content_line(lines, corpus_.repairs);
  if (!only_strings_known_ || !line || !*line) return line;
  // One that did not end in what was there, or stood behind a blank one.
  const bool was_ahead = (*line)->size() < ahead.size() && (*line)->data() == ahead.data();
  is_flat_ = !was_ahead && scan_flat_record(**line, flat_fields_);
  if (is_flat_ || !lines.is_mapped()) return line;
  // The parser must not read what others may change, and to copy all lines for it takes what mapping gains.
  lines.stop_mapping();
  return std::optional(copied(**line));
}

std::string_view JsonLinesReader::copied(std::string_view line) {
  copied_line_.assign(line);
  copied_line_.append(LineReader::kPaddingBytes, '\0');
  return std::string_view(copied_line_).substr(0, line.size());
}

// Each block by a reader of its own. Lists that travel with the tokens must be in every record, which only
// one reader that sees all records can tell: blocks with such lists, and those behind them, are read by this
// one.
Status JsonLinesReader::read_blocks(ByteSource source, const ReadProgress& progress) {
  const auto read = [this](LineReader& lines, CorpusData& corpus) -> Result<bool> {
    JsonLinesReader reader(options_, tokenizer_, corpus);
    const Status status = reader.read_lines(lines);
    if (reader.columns_.any()) return false;
    return status ? Result<bool>(true) : Result<bool>(status.error());
  };
  const auto take = [this](const LineBlock& block, const CorpusData& corpus, const Result<bool>& status) {
    return take_block(block, corpus, status);
  };
  return read_line_blocks(std::move(source), options_.threads, progress, read, take);
}

Status JsonLinesReader::take_block(const LineBlock& block, const CorpusData& read,
                                   const Result<bool>& status) {
  if (columns_.any() || !status || !*status) {
    LineReader lines(block, file_, corpus_.repairs);
    return read_lines(lines);
  }
  if (kept_tokens_ != nullptr) {
    const std::uint64_t file_tokens = corpus_.token_count() - tokens_before_ + read.token_count();
    make_room(*kept_tokens_, read.tokens.size(), file_tokens, block.share, corpus_.token_memory.bytes);
  }
  columns_.pass(read.document_count(), read.documents_with_tokens());
  corpus_.append(read);
  return corpus_.settle();
}

void JsonLinesReader::finish() { columns_.finish(corpus_); }

Status JsonLinesReader::read_record(std::string_view line, const Place& place) {
  token_count_ = 0;
  if (!read_flat_record()) {
    if (Status parsed = parse_record(line, place); !parsed) return parsed;
  }
  if (options_.keep_records) corpus_.records.add(line);
  corpus_.document_offsets.push_back(corpus_.token_count() + token_count_);
  return {};
}

// The short way: false, and nothing taken, where the record is not flat or lacks something.
bool JsonLinesReader::read_flat_record() {
  if (!is_flat_) return false;
  for (const KnownField& field : known_) {
    if (flat_field(field.name) == nullptr) return false;
  }
  if (source_) {
    const EscapedString& name = flat_field(known_[*source_].name)->string;
    if (name.byte_count == 0 || name.byte_count != name.escaped.size()) return false;
    take_source(name.escaped);
  }
  take_flat_texts();
  return true;
}

// The string of that name; none where there is no field, no string or more than one.
const FlatField* JsonLinesReader::flat_field(std::string_view name) const {
  const auto named = [&](const FlatField& field) { return field.key == name; };
  const auto found = std::find_if(flat_fields_.begin(), flat_fields_.end(), named);
  if (found == flat_fields_.end() || !found->is_string) return nullptr;
  return std::find_if(found + 1, flat_fields_.end(), named) == flat_fields_.end() ? &*found : nullptr;
}

void JsonLinesReader::take_flat_texts() {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (i > 0) {
      token_count_ += *tokenizer_.tokenize(options_.text_join, kept_tokens_);
      end_prompt();
    }
    const EscapedString& text = flat_field(known_[texts_[i]].name)->string;
    token_count_ += text.byte_count;
    if (kept_tokens_ != nullptr) append_bytes_of(text, *kept_tokens_);
  }
}

Status JsonLinesReader::parse_record(std::string_view line, const Place& place) {
  // LineReader keeps the bytes after a line readable, so the parser need not copy it.
  static_assert(LineReader::kPaddingBytes >= simdjson::SIMDJSON_PADDING);
  simdjson::dom::element root;
  const simdjson::error_code parsed = parser_.parse(line.data(), line.size(), false).get(root);
  if (parsed != simdjson::SUCCESS) return bad_data(place, ": ", explain(parsed, line));
  simdjson::dom::object record;
  if (root.get(record) != simdjson::SUCCESS) {
    return bad_data(place, ": the line is ", type_name(root),
                    "; each line must be one object like {\"input_ids\": [1, 2]}");
  }
  if (Status sorted = sort_fields(record, place); !sorted) return sorted;
  if (Status read = tokens_ ? read_tokens(place) : read_text(place); !read) return read;

  if (Status read = read_targets(place); !read) return read;
  if (Status read = read_attention_mask(place); !read) return read;
  if (Status read = read_prompt_length(place); !read) return read;
  if (Status read = read_source(place); !read) return read;
  return columns_.end_record(place, token_count_);
}

// Gives each field to the flag that named it; lists that none named may travel with the tokens.
Status JsonLinesReader::sort_fields(simdjson::dom::object record, const Place& place) {
  for (KnownField& field : known_) field.value.reset();
  names_.clear();
  lists_.clear();
  for (const simdjson::dom::key_value_pair& field : record) {
    names_.push_back(field.key);
    const auto known = std::find_if(known_.begin(), known_.end(),
                                    [&](const KnownField& candidate) { return candidate.name == field.key; });
    if (known == known_.end()) {
      simdjson::dom::array list;
      if (!tokens_ || field.value.get(list) != simdjson::SUCCESS) continue;
      if (holds(options_.ignored_fields, field.key)) continue;
      columns_.offer(field.key, list);
      lists_.push_back(field.key);
      continue;
    }
    if (known->value) return stands_twice(field.key, place);
    known->value = field.value;
  }
  // A list may have a namesake of any type, before it or after.
  for (const std::string_view name : lists_) {
    if (std::count(names_.begin(), names_.end(), name) > 1) return stands_twice(name, place);
  }
  return {};
}

Result<simdjson::dom::element> JsonLinesReader::required(const KnownField& field, const Place& place) const {
  if (field.value) return *field.value;
  const bool by_default = tokens_ && &field == &known_[*tokens_] && options_.tokens_field.empty();
  return bad_data(place, ": no field '", field.name, "'; the record has ", list_names(names_), ". ",
                  by_default ? "Name the token ids with --tokens-field NAME, or text with --text-field NAME"
                             : concat("Check ", field.flag));
}

Result<simdjson::dom::array> JsonLinesReader::aligned_list(const KnownField& field,
                                                           const Place& place) const {
  Result<simdjson::dom::element> value = required(field, place);
  if (!value) return value.error();
  simdjson::dom::array list;
  if (value->get(list) != simdjson::SUCCESS) {
    return bad_data(place, ": field '", field.name, "' is ", type_name(*value), "; it must be a list of ",
                    counted_noun(token_count_, "value"), ", one for each token");
  }
  if (list.size() != token_count_) {
    return bad_data(place, ": field '", field.name, "' has ", counted_noun(list.size(), "value"), " for ",
                    counted_noun(token_count_, "token"), "; they must be as many");
  }
  return list;
}

Status JsonLinesReader::read_tokens(const Place& place) {
  const KnownField& field = known_[*tokens_];
  Result<simdjson::dom::element> value = required(field, place);
  if (!value) return value.error();
  simdjson::dom::array list;
  if (value->get(list) != simdjson::SUCCESS) {
    return bad_data(
        place, ": field '", field.name, "' is ", type_name(*value),
        "; it must be a list of token ids ([] for an empty document); text is read with --text-field ",
        field.name);
  }
  const std::int64_t limit = options_.largest_token_id();
  Buffer<std::int32_t>* const ids = kept_tokens_ != nullptr ? &kept_tokens_->wide() : nullptr;
  for (const simdjson::dom::element element : list) {
    std::int64_t id = 0;
    if (element.get(id) != simdjson::SUCCESS || id < 0 || id > limit) {
      const bool is_list = element.is_array();
      return Error{ErrorCode::token_out_of_range,
                   concat(place, ": field '", field.name, "' holds ", value_text(element), " at index ",
                          token_count_, "; token ids are integers from 0 to ", limit,
                          is_list               ? "; one line holds one document, not a batch"
                          : options_.vocab_size ? " (--vocab-size)"
                                                : ""),
                   corpus_.document_count()};
    }
    if (ids != nullptr) ids->push_back(static_cast<std::int32_t>(id));
    ++token_count_;
  }
  return {};
}

Result<std::string_view> JsonLinesReader::text_of(const KnownField& field, const Place& place) const {
  Result<simdjson::dom::element> value = required(field, place);
  if (!value) return value.error();
  std::string_view text;
  if (value->get(text) != simdjson::SUCCESS) {
    return bad_data(place, ": field '", field.name, "' is ", type_name(*value),
                    "; text must be a string (\"\" for none); token ids are read with --tokens-field ",
                    field.name);
  }
  if (has_lone_surrogate(text)) {
    return bad_data(place, ": field '", field.name,
                    "' holds half of a surrogate pair (an escape such as \\udc00), which is no character");
  }
  return text;
}

Status JsonLinesReader::tokenize(std::string_view text, const Place& place) {
  const Result<std::uint64_t> count = tokenizer_.tokenize(text, kept_tokens_);
  if (!count) return bad_data(place, ": ", count.error().message);
  token_count_ += *count;
  return {};
}

Status JsonLinesReader::read_text(const Place& place) {
  if (texts_.size() == 1) {
    Result<std::string_view> text = text_of(known_[texts_[0]], place);
    return text ? tokenize(*text, place) : text.error();
  }
  text_.clear();
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (i > 0) text_ += options_.text_join;
    if (i > 0 && !options_.prompt_field.empty()) {
      if (Status tokenized = tokenize(text_, place); !tokenized) return tokenized;
      text_.clear();
      end_prompt();
    }
    Result<std::string_view> text = text_of(known_[texts_[i]], place);
    if (!text) return text.error();
    text_ += *text;
  }
  return tokenize(text_, place);
}

// The joiner belongs to the prompt, so that the completion alone is trained.
void JsonLinesReader::end_prompt() {
  if (options_.prompt_field.empty()) return;
  corpus_.prompt_lengths.push_back(static_cast<std::uint32_t>(token_count_));
}

Status JsonLinesReader::read_targets(const Place& place) {
  if (!loss_mask_ && !labels_) return {};
  const std::size_t begin = corpus_.loss_mask.size();
  corpus_.loss_mask.resize(begin + token_count_);
  const std::span<std::uint8_t> mask = std::span(corpus_.loss_mask).subspan(begin);
  return loss_mask_ ? read_loss_mask(place, mask) : read_labels(place, mask);
}

Status JsonLinesReader::read_loss_mask(const Place& place, std::span<std::uint8_t> mask) {
  const KnownField& field = known_[*loss_mask_];
  Result<simdjson::dom::array> list = aligned_list(field, place);
  if (!list) return list.error();
  std::size_t index = 0;
  for (const simdjson::dom::element element : *list) {
    std::int64_t value = -1;
    bool flag = false;
    if (element.get(flag) == simdjson::SUCCESS) {
      value = flag ? 1 : 0;
    } else if (element.get(value) != simdjson::SUCCESS || (value != 0 && value != 1)) {
      return bad_data(place, ": field '", field.name, "' holds ", value_text(element), " at index ", index,
                      "; a loss mask is 1 for a target, else 0");
    }
    mask[index++] = static_cast<std::uint8_t>(value);
  }
  return {};
}

Status JsonLinesReader::read_labels(const Place& place, std::span<std::uint8_t> mask) {
  const KnownField& field = known_[*labels_];
  Result<simdjson::dom::array> list = aligned_list(field, place);
  if (!list) return list.error();
  const TokenView tokens = corpus_.tokens.view().subspan(corpus_.tokens.size() - token_count_, token_count_);
  std::size_t index = 0;
  for (const simdjson::dom::element element : *list) {
    std::int64_t value = -1;
    const bool integer = element.is_int64() && element.get(value) == simdjson::SUCCESS;
    if (!integer || (value != kIgnoredLabel && value != tokens[index])) {
      return bad_data(place, ": field '", field.name, "' holds ", value_text(element), " at index ", index,
                      ", where the token is ", tokens[index],
                      "; aligned labels repeat the token, or hold -100 where it is no target");
    }
    mask[index++] = value != kIgnoredLabel;
  }
  return {};
}

Status JsonLinesReader::read_attention_mask(const Place& place) {
  if (!attention_mask_ || !known_[*attention_mask_].value) return {};
  Result<simdjson::dom::array> list = aligned_list(known_[*attention_mask_], place);
  if (!list) return list.error();
  std::uint64_t index = 0;
  for (const simdjson::dom::element element : *list) {
    std::int64_t value = -1;
    bool flag = false;
    const bool one =
        element.get(flag) == simdjson::SUCCESS ? flag : element.get(value) == simdjson::SUCCESS && value == 1;
    if (!one) {
      return bad_data(
          place, ": attention_mask holds ", value_text(element), " at index ", index,
          "; documents must come without padding. Take the padding off, or, if all tokens are real, use ",
          "--ignore-field attention_mask");
    }
    ++index;
  }
  return {};
}

Status JsonLinesReader::read_prompt_length(const Place& place) {
  if (!prompt_length_) return {};
  const KnownField& field = known_[*prompt_length_];
  Result<simdjson::dom::element> value = required(field, place);
  if (!value) return value.error();
  std::uint64_t length = 0;
  if (value->get(length) != simdjson::SUCCESS || length > token_count_) {
    return bad_data(place, ": field '", field.name, "' is ", value_text(*value),
                    "; a prompt length is an integer from 0 to the document's ",
                    counted_noun(token_count_, "token"));
  }
  corpus_.prompt_lengths.push_back(static_cast<std::uint32_t>(length));
  return {};
}

Status JsonLinesReader::read_source(const Place& place) {
  if (!source_) return {};
  const KnownField& field = known_[*source_];
  Result<simdjson::dom::element> value = required(field, place);
  if (!value) return value.error();
  std::string_view name;
  if (value->get(name) != simdjson::SUCCESS || name.empty()) {
    return Error{ErrorCode::unknown_source,
                 concat(place, ": field '", field.name, "' is ", value_text(*value),
                        "; a source is a string that names a data set"),
                 corpus_.document_count()};
  }
  take_source(name);
  return {};
}

void JsonLinesReader::take_source(std::string_view name) {
  corpus_.sources.push_back(corpus_.source_number(name));
}

}  // namespace packscope::native
