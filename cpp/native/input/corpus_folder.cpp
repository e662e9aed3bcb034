// SPDX-License-Identifier: MIT
#include "input/corpus_folder.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "files/json_file.hpp"
#include "files/mapped_array.hpp"
#include "input/field_columns.hpp"
#include "message.hpp"
#include "output/array_folder.hpp"
#include "output/report_json.hpp"

namespace packscope::native {
namespace {

constexpr std::string_view kFormat = "packscope corpus";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kTokensAtATime = 1 << 20;
constexpr std::string_view kTokens = "tokens";

std::string field_file(std::size_t index) { return concat("field_", index); }

struct NamedArray {
  std::string name;
  std::string_view descr;
  std::size_t value_bytes = 0;
  std::span<const std::byte> values;
};

// Everything that belongs to documents or tokens; what the input did not give is left out. Tokens of a byte
// are for append_widened().
std::vector<NamedArray> arrays_of(const CorpusData& corpus) {
  std::vector<NamedArray> arrays;
  const auto add = [&]<class Values>(std::string name, std::string_view descr, const Values& values) {
    arrays.push_back({std::move(name), descr, sizeof(values[0]), std::as_bytes(std::span(values))});
  };
  add("document_offsets", "<u8", corpus.document_offsets);
  const TokenView tokens = corpus.view().tokens;
  const std::span<const std::byte> wide = tokens.is_wide() ? tokens.bytes() : std::span<const std::byte>();
  if (corpus.tokens_known) arrays.push_back({std::string(kTokens), "<i4", sizeof(std::int32_t), wide});
  if (!corpus.loss_mask.empty()) add("loss_mask", "|u1", corpus.loss_mask);
  if (!corpus.prompt_lengths.empty()) add("prompt_lengths", "<u4", corpus.prompt_lengths);
  if (!corpus.sources.empty()) add("sources", "<u4", corpus.sources);
  for (std::size_t i = 0; i < corpus.fields.size(); ++i) {
    const Field& field = corpus.fields[i];
    arrays.push_back({field_file(i), dtype_descr(field.dtype), dtype_size(field.dtype), field.values});
  }
  return arrays;
}

// Appends tokens of a byte as the ids of four that a corpus holds, a piece at a time, to the array in
// `views`.
Status append_widened(TokenView tokens, std::vector<ArrayView> views, ArrayFolder& arrays) {
  std::vector<std::int32_t> piece;
  for (std::size_t at = 0; at < tokens.size(); at += kTokensAtATime) {
    piece.resize(std::min(kTokensAtATime, tokens.size() - at));
    tokens.subspan(at, piece.size()).copy_to(piece.data());
    for (ArrayView& view : views) {
      view.values = {};
      if (view.name == kTokens) view.values = std::as_bytes(std::span(piece));
    }
    if (Status written = arrays.append(views); !written) return written;
  }
  return {};
}

std::string corpus_text(const CorpusData& corpus, const std::vector<std::string>& inputs,
                        const std::vector<ArrayEntry>& arrays) {
  JsonWriter json(JsonWriter::Layout::indented);
  json.begin_object()
      .member("format", kFormat)
      .member("format_version", kVersion)
      .member("documents", corpus.document_count())
      .member("tokens", corpus.token_count());
  json.strings("inputs", inputs);
  json.strings("source_names", corpus.source_names);
  std::vector<std::string> names;
  for (const Field& field : corpus.fields) names.push_back(field.name);
  json.strings("fields", names);
  json.strings("fields_left_out", corpus.fields_left_out);
  json.member("tokenizer_checksum", corpus.tokenizer_checksum);
  write_repairs(json.key("repairs"), corpus.repairs);
  write_arrays(json.key("arrays"), arrays);
  json.end_object();
  return json.text() + "\n";
}

// A corpus on disk beside the one that its documents are appended to.
class CorpusReader {
 public:
  CorpusReader(const std::string& folder, const JsonFile& list, const ReadOptions& options,
               CorpusData& corpus)
      : folder_(folder), list_(list), options_(options), corpus_(corpus) {
    simdjson::dom::object arrays;
    if (list.root()["arrays"].get(arrays) == simdjson::SUCCESS) arrays_ = read_arrays(arrays);
  }

  Status read() {
    if (Status read = read_offsets(); !read) return read;
    if (Status read = read_sources(); !read) return read;
    if (Status read = append_small("prompt_lengths", "<u4", corpus_.prompt_lengths, stored_documents_); !read)
      return read;
    leave_out_past_limit();
    corpus_.tokenizer_checksum = string_of(list_.root(), "tokenizer_checksum");
    add_left_out(strings_of(list_.root(), "fields_left_out"));
    simdjson::dom::object repairs;
    if (list_.root()["repairs"].get(repairs) == simdjson::SUCCESS) corpus_.repairs.add(read_repairs(repairs));
    const bool tokens = options_.keeps_tokens() && entry(kTokens) != nullptr;
    if (first_document_ > 0 && corpus_.tokens_known != tokens) return differs("tokens");
    corpus_.tokens_known = tokens;
    corpus_.files.push_back({folder_, corpus_.document_count() - first_document_});
    if (options_.lengths_only) return {};
    if (Status read = read_tokens(); !read) return read;
    if (Status read = append_per_token("loss_mask", "|u1", corpus_.loss_mask); !read) return read;
    return read_fields();
  }

 private:
  [[nodiscard]] const ArrayEntry* entry(std::string_view name) const { return find_array(arrays_, name); }

  [[nodiscard]] Error differs(std::string_view what) const {
    return bad_data(folder_, ": only some of the corpora have ", what,
                    "; make all of them with the same flags");
  }

  Status read_offsets() {
    first_document_ = corpus_.document_count();
    first_token_ = corpus_.token_count();
    std::vector<std::uint64_t> offsets;
    if (entry("document_offsets") == nullptr) return bad_data(folder_, ": has no document_offsets");
    if (Status read = append_small("document_offsets", "<u8", offsets, {}); !read) return read;
    if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end())) {
      return bad_data(folder_, "/document_offsets.npy: does not ascend from 0; the corpus is damaged");
    }
    const std::uint64_t room = options_.limit_documents.value_or(UINT64_MAX) - first_document_;
    const std::uint64_t documents = std::min<std::uint64_t>(offsets.size() - 1, room);
    for (std::uint64_t i = 1; i <= documents; ++i)
      corpus_.document_offsets.push_back(first_token_ + offsets[i]);
    stored_tokens_ = offsets.back();
    stored_documents_ = offsets.size() - 1;
    return {};
  }

  Status read_sources() {
    const std::vector<std::string> names = strings_of(list_.root(), "source_names");
    std::vector<std::uint32_t> sources;
    if (Status read = append_small("sources", "<u4", sources, stored_documents_); !read) return read;
    if (first_document_ > 0 && corpus_.sources.empty() != sources.empty()) return differs("sources");
    std::vector<std::uint32_t> numbers;  // here, of the names there
    for (const std::string& name : names) numbers.push_back(corpus_.source_number(name));
    for (const std::uint32_t source : sources) {
      if (source >= numbers.size()) return bad_data(folder_, "/sources.npy: source ", source, " has no name");
      corpus_.sources.push_back(numbers[source]);
    }
    return {};
  }

  void add_left_out(const std::vector<std::string>& names) {
    std::vector<std::string>& all = corpus_.fields_left_out;
    all.insert(all.end(), names.begin(), names.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  void leave_out_past_limit() {
    const auto documents = static_cast<std::size_t>(corpus_.document_count());
    if (corpus_.sources.size() > documents) corpus_.sources.resize(documents);
    if (corpus_.prompt_lengths.size() > documents) corpus_.prompt_lengths.resize(documents);
  }

  // An array of `count` values of a dtype, or of any number of them.
  Result<MappedArray> open(const ArrayEntry& listed, std::string_view descr,
                           std::optional<std::uint64_t> count) const {
    if (listed.descr != descr) {
      return bad_data(folder_, "/", listed.name, ".npy: dtype '", listed.descr, "' where '", descr,
                      "' is expected");
    }
    if (count && listed.shape != std::vector{*count}) {
      return bad_data(folder_, "/", listed.name, ".npy: must have ", *count,
                      " values in one dimension; the corpus is damaged");
    }
    return MappedArray::open(folder_, listed);
  }

  // An array of few bytes for each document, where the corpus has it.
  template <class Value>
  Status append_small(const std::string& name, std::string_view descr, std::vector<Value>& values,
                      std::optional<std::uint64_t> count) {
    const ArrayEntry* const listed = entry(name);
    if (listed == nullptr) return {};
    const Result<MappedArray> array = open(*listed, descr, count);
    if (!array) return array.error();
    const std::size_t before = values.size();
    values.resize(before + array->bytes().size() / sizeof(Value));
    if (!array->bytes().empty())
      std::memcpy(values.data() + before, array->bytes().data(), array->bytes().size());
    return {};
  }

  // All of them may be more than memory holds; those of a worker stand where the whole corpus would have
  // them.
  Status read_tokens() {
    if (options_.needed_documents != nullptr)
      return append_per_token(std::string(kTokens), "<i4", corpus_.tokens.wide());
    const ArrayEntry* const listed = entry(kTokens);
    if (listed == nullptr) return {};
    const Result<MappedArray> array = open(*listed, "<i4", stored_tokens_);
    if (!array) return array.error();
    const auto wanted = static_cast<std::size_t>(corpus_.token_count() - first_token_);
    for (std::size_t at = 0; at < wanted; at += kTokensAtATime) {
      const std::size_t count = std::min(kTokensAtATime, wanted - at);
      Buffer<std::int32_t>& tokens = corpus_.tokens.wide();
      tokens.resize(tokens.size() + count);
      std::memcpy(tokens.data() + tokens.size() - count, array->bytes().data() + at * sizeof(std::int32_t),
                  count * sizeof(std::int32_t));
      if (Status settled = corpus_.settle(); !settled) return settled;
    }
    return {};
  }

  template <class Value>
  Status append_per_token(const std::string& name, std::string_view descr, Buffer<Value>& values) {
    const ArrayEntry* const listed = entry(name);
    if (first_document_ > 0 && values.empty() != (listed == nullptr) && first_token_ > 0)
      return differs(name);
    if (listed == nullptr) return {};
    const Result<MappedArray> array = open(*listed, descr, stored_tokens_);
    if (!array) return array.error();
    values.resize(
        static_cast<std::size_t>(corpus_.token_count()));  // pages that nothing is copied to cost nothing
    copy_needed(array->bytes(), sizeof(Value), std::as_writable_bytes(std::span(values)));
    return {};
  }

  // Of each run of needed documents.
  void copy_needed(std::span<const std::byte> from, std::size_t value_bytes, std::span<std::byte> to) const {
    const std::uint64_t end = corpus_.document_count();
    for (std::uint64_t first = first_document_; first < end;) {
      std::uint64_t last = first;
      while (last < end && is_needed(last) == is_needed(first)) ++last;
      const std::uint64_t begin = corpus_.document_offsets[first] * value_bytes;
      const std::uint64_t size = corpus_.document_offsets[last] * value_bytes - begin;
      if (is_needed(first) && size > 0)
        std::memcpy(to.data() + begin, from.data() + begin - first_token_ * value_bytes, size);
      first = last;
    }
  }

  [[nodiscard]] bool is_needed(std::uint64_t document) const {
    return options_.needed_documents == nullptr || (*options_.needed_documents)[document] != 0;
  }

  Status read_fields() {
    const std::vector<std::string> names = strings_of(list_.root(), "fields");
    if (first_document_ > 0 && names.size() != corpus_.fields.size()) return differs("the same fields");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const ArrayEntry* const listed = entry(field_file(i));
      if (listed == nullptr) return bad_data(folder_, ": has no array of the field '", names[i], "'");
      if (!can_name_array(names[i])) {
        return bad_data(folder_, ": the field '", names[i],
                        "' cannot be the name of an array; the corpus is damaged");
      }
      if (i == corpus_.fields.size()) corpus_.fields.push_back({names[i], dtype_named(listed->descr), {}});
      Field& field = corpus_.fields[i];
      if (field.name != names[i] || dtype_descr(field.dtype) != listed->descr)
        return differs(concat("the field ", names[i]));
      const Result<MappedArray> array = open(*listed, dtype_descr(field.dtype), stored_tokens_);
      if (!array) return array.error();
      field.values.resize(static_cast<std::size_t>(corpus_.token_count() * dtype_size(field.dtype)));
      copy_needed(array->bytes(), dtype_size(field.dtype), field.values);
    }
    return {};
  }

  static DType dtype_named(std::string_view descr) {
    for (const DType dtype : {DType::uint8, DType::int32, DType::int64}) {
      if (dtype_descr(dtype) == descr) return dtype;
    }
    return DType::float64;
  }

  const std::string& folder_;
  const JsonFile& list_;
  const ReadOptions& options_;
  CorpusData& corpus_;
  std::vector<ArrayEntry> arrays_;
  std::uint64_t first_document_ = 0;  // of this folder in the corpus
  std::uint64_t first_token_ = 0;
  std::uint64_t stored_tokens_ = 0;
  std::uint64_t stored_documents_ = 0;
};

}  // namespace

Status write_corpus(const std::string& folder, const CorpusData& corpus,
                    const std::vector<std::string>& inputs) {
  std::vector<ArrayEntry> entries;
  ArrayFolder arrays(folder);
  const std::vector<NamedArray> named = arrays_of(corpus);
  std::vector<ArrayView> views;
  for (const NamedArray& array : named)
    views.push_back({array.name, array.descr, array.value_bytes, 0, array.values, false});
  if (Status written = arrays.append(views); !written) return written;
  const TokenView tokens = corpus.view().tokens;
  if (!tokens.is_wide()) {
    if (Status written = append_widened(tokens, views, arrays); !written) return written;
  }
  if (Status finished = arrays.finish(entries); !finished) return finished;
  return write_text_file(concat(folder, "/", kCorpusName), corpus_text(corpus, inputs, entries));
}

bool is_corpus_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(concat(path, "/", kCorpusName), error);
}

Status read_corpus(const std::string& folder, const ReadOptions& options, CorpusData& corpus) {
  Result<JsonFile> list = JsonFile::read(concat(folder, "/", kCorpusName), kFormat, kVersion);
  if (!list) return list.error();
  return CorpusReader(folder, *list, options, corpus).read();
}

}  // namespace packscope::native
