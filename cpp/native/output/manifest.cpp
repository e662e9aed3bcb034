// SPDX-License-Identifier: MIT
#include "output/manifest.hpp"

#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "files/durable.hpp"
#include "files/file_writer.hpp"
#include "files/json_file.hpp"
#include "input/byte_source.hpp"
#include "message.hpp"
#include "output/report_json.hpp"

namespace packscope::native {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::string_view kFormatName = "packscope";

// Every flag of the reader, so that verify reads the input as pack did.
void write_reader(JsonWriter& json, const Outcome& outcome) {
  const ReadOptions& reader = *outcome.reader;
  json.begin_object().member("input", input_kind_name(outcome.kind));
  json.member("tokens_field", reader.tokens_field);
  json.strings("text_fields", reader.text_fields);
  json.member("text_join", reader.text_join)
      .member("prompt_field", reader.prompt_field)
      .member("completion_field", reader.completion_field)
      .member("loss_mask_field", reader.loss_mask_field)
      .member("prompt_length_field", reader.prompt_length_field)
      .member("source_field", reader.source_field)
      .member("labels_field", reader.labels_field);
  json.strings("ignored_fields", reader.ignored_fields);
  json.strings("offsets", reader.offsets);
  json.member("token_type", reader.token_type ? token_type_name(*reader.token_type) : "");
  json.key("end_of_document");
  reader.end_of_document ? json.value(*reader.end_of_document) : json.null();
  json.key("tokenizer");
  tokenizes(outcome.kind, reader) ? json.value(reader.tokenizer) : json.null();
  json.member("tokenizer_checksum", outcome.corpus->tokenizer_checksum);
  json.key("limit_documents");
  reader.limit_documents ? json.value(*reader.limit_documents) : json.null();
  json.end_object();
}

// The text that set_option takes, from how write_options wrote it.
std::string option_text(element value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return value.is_null() ? "none" : simdjson::minify(value);
}

// What the manifest tells readers about the arrays must be what the options made.
Status check_told(object root, const Options& options) {
  const std::pair<std::string_view, std::string> told[] = {{"label_mode", get_option(options, "labels")},
                                                           {"cu_seqlens_covers", cu_seqlens_text(options)}};
  for (const auto& [key, made] : told) {
    const std::string said = string_of(root, key);
    if (said != made) return bad_data(key, " is '", said, "', but the options give '", made, "'");
  }
  return {};
}

Status read_options(object from, Options& options) {
  for (const OptionInfo& info : option_table()) {
    element value;
    if (from[info.name].get(value) != simdjson::SUCCESS) {
      return bad_data("the manifest's options lack ", info.name);
    }
    if (Status set = set_option(options, info.name, option_text(value)); !set) return set;
  }
  return {};
}

ReadOptions read_reader(object from) {
  ReadOptions reader;
  reader.input = input_kind_named(string_of(from, "input"));
  reader.tokens_field = string_of(from, "tokens_field");
  reader.text_fields = strings_of(from, "text_fields");
  reader.text_join = string_of(from, "text_join");
  reader.prompt_field = string_of(from, "prompt_field");
  reader.completion_field = string_of(from, "completion_field");
  reader.loss_mask_field = string_of(from, "loss_mask_field");
  reader.prompt_length_field = string_of(from, "prompt_length_field");
  reader.source_field = string_of(from, "source_field");
  reader.labels_field = string_of(from, "labels_field");
  reader.ignored_fields = strings_of(from, "ignored_fields");
  reader.offsets = strings_of(from, "offsets");
  reader.token_type = token_type_named(string_of(from, "token_type"));
  std::uint64_t end_of_document = 0;
  if (from["end_of_document"].get(end_of_document) == simdjson::SUCCESS && end_of_document <= UINT32_MAX)
    reader.end_of_document = static_cast<std::uint32_t>(end_of_document);
  if (const std::string name = string_of(from, "tokenizer"); !name.empty()) reader.tokenizer = name;
  reader.tokenizer_checksum = string_of(from, "tokenizer_checksum");
  std::uint64_t limit = 0;
  if (from["limit_documents"].get(limit) == simdjson::SUCCESS) reader.limit_documents = limit;
  return reader;
}

Ledger read_ledger(object from) {
  return {.documents = number_of(from, "documents"),
          .tokens = number_of(from, "tokens"),
          .empty_documents = number_of(from, "empty_documents"),
          .dropped_documents = number_of(from, "dropped_documents"),
          .truncated_documents = number_of(from, "truncated_documents"),
          .split_documents = number_of(from, "split_documents"),
          .duplicate_documents = number_of(from, "duplicate_documents"),
          .tokens_dropped = number_of(from, "tokens_dropped"),
          .separators_added = number_of(from, "separators_added"),
          .filler_windows = number_of(from, "filler_windows")};
}

Stats read_stats(object from) {
  Stats stats;
  stats.windows = number_of(from, "windows");
  stats.filler_windows = number_of(from, "filler_windows");
  stats.segments = number_of(from, "segments");
  stats.real_tokens = number_of(from, "real_tokens");
  stats.padding_tokens = number_of(from, "padding_tokens");
  stats.lower_bound = number_of(from, "lower_bound");
  stats.sum_squared_lengths = number_of(from, "sum_squared_lengths");
  stats.attention_pairs = number_of(from, "attention_pairs");
  stats.causal_pairs = number_of(from, "causal_pairs");
  object per_window;
  if (from["documents_per_window"].get(per_window) == simdjson::SUCCESS) {
    stats.documents_per_window.min = number_of(per_window, "min");
    stats.documents_per_window.p50 = number_of(per_window, "p50");
    stats.documents_per_window.p95 = number_of(per_window, "p95");
    stats.documents_per_window.max = number_of(per_window, "max");
    double mean = 0;
    if (per_window["mean"].get(mean) == simdjson::SUCCESS) stats.documents_per_window.mean = mean;
  }
  std::uint64_t count = 0;
  if (from["exact_duplicates"].get(count) == simdjson::SUCCESS) stats.exact_duplicates = count;
  if (from["documents_without_target"].get(count) == simdjson::SUCCESS)
    stats.documents_without_target = count;
  return stats;
}

// Earlier manifests say nothing: .npy and int32.
Status read_stored_as(object root, StoredAs& stored_as) {
  if (const std::string name = string_of(root, "container"); !name.empty()) {
    const std::optional<Container> container = container_named(name);
    if (!container) return bad_data("container '", name, "' is none that this version knows");
    stored_as.container = *container;
  }
  if (string_of(root, "input_ids_dtype") == id_type_name(IdType::uint16)) stored_as.ids = IdType::uint16;
  return {};
}

Status read_parts(object root, Manifest& manifest) {
  object options, reader, arrays, ledger, by_source, stats;
  if (root["options"].get(options) != simdjson::SUCCESS || root["reader"].get(reader) != simdjson::SUCCESS ||
      root["arrays"].get(arrays) != simdjson::SUCCESS || root["ledger"].get(ledger) != simdjson::SUCCESS ||
      root["ledger_by_source"].get(by_source) != simdjson::SUCCESS ||
      root["stats"].get(stats) != simdjson::SUCCESS) {
    return bad_data("the manifest lacks options, reader, arrays, ledger, ledger_by_source or stats");
  }
  if (Status read = read_options(options, manifest.options); !read) return read;
  manifest.reader = read_reader(reader);
  manifest.ledger = read_ledger(ledger);
  manifest.stats = read_stats(stats);
  manifest.arrays = read_arrays(arrays);
  for (const simdjson::dom::key_value_pair& entry : by_source) {
    object source;
    if (entry.value.get(source) != simdjson::SUCCESS) continue;
    manifest.source_names.emplace_back(entry.key);
    manifest.ledger_by_source.push_back(read_ledger(source));
  }
  return {};
}

// The members before `repairs`, but for the fingerprint and the lines before it.
std::string_view asked_part(std::string_view text) {
  const std::size_t begin = text.find("\"plan_only\"");
  const std::size_t end = text.find("\"repairs\"");
  return begin < end ? text.substr(begin, end - begin) : text;
}

}  // namespace

std::string_view version_text() { return PACKSCOPE_VERSION; }

std::string manifest_text(const Outcome& outcome, const std::vector<ArrayEntry>& arrays) {
  const Plan& plan = *outcome.plan;
  JsonWriter json(JsonWriter::Layout::indented);
  json.begin_object()
      .member("format", kFormatName)
      .member("format_version", kManifestVersion)
      .member("packscope_version", version_text())
      .member("fingerprint", fingerprint_text(outcome.fingerprint))
      .member("plan_only", outcome.plan_only);
  json.key("shard_windows");
  outcome.shard_windows ? json.value(*outcome.shard_windows) : json.null();
  json.member("container", container_name(outcome.stored_as.container))
      .member("input_ids_dtype", id_type_name(outcome.stored_as.ids));
  json.member("label_mode", get_option(plan.options, "labels"))
      .member("cu_seqlens_covers", cu_seqlens_text(plan.options));
  write_options(json.key("options"), plan.options);
  json.strings("inputs", outcome.inputs);
  write_reader(json.key("reader"), outcome);
  write_repairs(json.key("repairs"), outcome.corpus->repairs);
  json.strings("fields_left_out", outcome.corpus->fields_left_out);
  write_arrays(json.key("arrays"), arrays);
  write_stats(json.key("stats"), *outcome.stats);
  write_ledger(json.key("ledger"), plan.ledger);
  write_ledger_by_source(json.key("ledger_by_source"), plan);
  json.end_object();
  return json.text() + "\n";
}

Status write_manifest(const std::string& folder, const std::string& text) {
  const std::string pending = concat(folder, "/.", kManifestName, ".part");
  if (Status written = write_text_file(pending, text); !written) return written;
  return move_durably(pending, concat(folder, "/", kManifestName));
}

Error made_otherwise(const std::string& folder) {
  return bad_usage(
      "the unfinished output ", folder,
      " was made of other input or with other options; repeat that command, or leave --resume out to "
      "start anew");
}

Status check_unfinished(const std::string& folder, std::string_view manifest, ManifestPart part) {
  const std::string path = concat(folder, "/", kManifestName);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return {};
  Result<ByteSource> source = ByteSource::open(path);
  if (!source) return source.error();
  const Result<std::string> earlier = read_all(*source, {});
  if (!earlier) return earlier.error();
  const bool same =
      part == ManifestPart::all ? *earlier == manifest : asked_part(*earlier) == asked_part(manifest);
  return same ? Status() : Status(made_otherwise(folder));
}

Result<Manifest> read_manifest(const std::string& folder) {
  const std::string path = concat(folder, "/", kManifestName);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(folder, ignored)) {
    return bad_usage(folder,
                     " is a file; only output folders have a manifest to go by. Write one with pack -o");
  }
  if (!std::filesystem::exists(path, ignored)) {
    return Error{ErrorCode::io_error,
                 concat("cannot read ", path, ": there is no such file; name a folder that pack -o wrote")};
  }
  Result<JsonFile> file = JsonFile::read(path, kFormatName, kManifestVersion);
  if (!file) return file.error();
  const object root = file->root();
  Manifest manifest;
  manifest.packscope_version = string_of(root, "packscope_version");
  manifest.fingerprint = string_of(root, "fingerprint");
  manifest.inputs = strings_of(root, "inputs");
  bool plan_only = false;
  if (root["plan_only"].get(plan_only) == simdjson::SUCCESS) manifest.plan_only = plan_only;
  std::uint64_t shard_windows = 0;
  if (root["shard_windows"].get(shard_windows) == simdjson::SUCCESS) manifest.shard_windows = shard_windows;
  if (Status stored = read_stored_as(root, manifest.stored_as); !stored) {
    return bad_data(path, ": ", stored.error().message);
  }
  if (Status read = read_parts(root, manifest); !read) {
    return bad_data(path, ": ", read.error().message);  // an option in a file is data
  }
  if (Status sound = check_options(manifest.options); !sound) {
    return bad_data(path, ": ", sound.error().message);
  }
  if (Status agree = check_told(root, manifest.options); !agree) {
    return bad_data(path, ": ", agree.error().message);
  }
  return manifest;
}

}  // namespace packscope::native
