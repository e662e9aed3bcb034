// SPDX-License-Identifier: MIT
#include "command.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "flags.hpp"
#include "in_order.hpp"
#include "input/lengths_reader.hpp"
#include "input/read_input.hpp"
#include "message.hpp"
#include "packscope/algorithms.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;

constexpr std::uint64_t kMaxThreads = 1024;

std::vector<std::string> allowed_values(const std::string& option) {
  if (option == "algorithm") {
    std::vector<std::string> names;
    for (const AlgorithmInfo& info : algorithms()) names.emplace_back(info.name);
    return names;
  }
  for (const OptionInfo& info : option_table()) {
    if (info.name != option || info.value.find('|') == std::string_view::npos) continue;
    std::vector<std::string> values = split_list(info.value, '|');
    values.erase(std::remove(values.begin(), values.end(), "N"), values.end());  // stands for any number
    return values;
  }
  return {};
}

// "\n", "\t" and "\\" as typed in a shell.
Result<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char next = ++i < text.size() ? text[i] : '\0';
    if (next != 'n' && next != 't' && next != '\\') {
      return bad_usage("--text-join '", text, "' holds an unknown escape; \\n, \\t and \\\\ are understood");
    }
    out += next == 'n' ? '\n' : next == 't' ? '\t' : '\\';
  }
  return out;
}

// What raw token files and .npy tokens need to be told.
Status token_files_from(const Arguments& arguments, native::ReadOptions& reader) {
  // Another kind of input than the defaults are about.
  if (arguments.has("input")) {
    reader.offsets.clear();
    reader.token_type.reset();
    reader.end_of_document.reset();
  }
  if (const auto offsets = arguments.values.find("offsets"); offsets != arguments.values.end())
    reader.offsets = offsets->second;
  if (arguments.has("token-type")) {
    reader.token_type = native::token_type_named(arguments.get("token-type"));
    if (!reader.token_type) {
      return bad_usage("--token-type '", arguments.get("token-type"), "' must be one of ",
                       native::kTokenTypeNames,
                       did_you_mean(arguments.get("token-type"), split_list(native::kTokenTypeNames, '|')));
    }
  }
  if (!arguments.has("end-of-document")) return {};
  const Result<std::uint64_t> id =
      parse_number("end-of-document", arguments.get("end-of-document"), 0, INT32_MAX);
  if (!id) return id.error();
  reader.end_of_document = static_cast<std::uint32_t>(*id);
  return {};
}

bool reads_option(Algorithm algorithm, std::string_view option) {
  for (const std::string& name : split_list(algorithm_info(algorithm).options, ',')) {
    const std::size_t begin = name.find_first_not_of(' ');
    if (begin != std::string::npos && name.substr(begin) == option) return true;
  }
  return false;
}

// Options that only some algorithms read.
bool is_special(std::string_view option) {
  return std::any_of(algorithms().begin(), algorithms().end(),
                     [&](const AlgorithmInfo& info) { return reads_option(info.algorithm, option); });
}

}  // namespace

int exit_code(const Error& error) {
  const bool usage = error.code == ErrorCode::invalid_option || error.code == ErrorCode::invalid_argument;
  return usage ? kBadUsage : kBadData;
}

Status set_flag(Options& options, const std::string& option, const std::string& value) {
  Status set = set_option(options, option, value);
  if (set) return set;
  const std::string hint = did_you_mean(value, allowed_values(option));
  return bad_usage("--", flag_name(option), ": ", set.error().message, hint == "." ? "" : hint);
}

Result<Options> options_from(const Arguments& arguments, const std::vector<std::string>& except) {
  Options options;
  for (const OptionInfo& info : option_table()) {
    const std::string flag = flag_name(info.name);
    if (!arguments.has(flag) || std::find(except.begin(), except.end(), flag) != except.end()) continue;
    if (Status set = set_flag(options, std::string(info.name), arguments.get(flag)); !set) return set.error();
  }
  return options;
}

Result<WindowRange> windows_from(const Arguments& arguments, std::uint64_t window_count) {
  const std::string text = arguments.get("windows");
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return bad_usage("--windows '", text, "' must be A:B, such as 0:40");
  const std::string first = text.substr(0, colon);
  const std::string last = text.substr(colon + 1);
  WindowRange range{0, window_count};
  for (const auto& [part, value] : {std::pair{&first, &range.first}, std::pair{&last, &range.last}}) {
    if (part->empty()) continue;
    Result<std::uint64_t> number = parse_number("windows", *part, 0, window_count);
    if (!number) return number.error();
    *value = *number;
  }
  if (range.first < range.last && range.last <= window_count) return range;
  return bad_usage("--windows ", text, " must be a range inside the ", window_count,
                   " windows of the folder");
}

// "500M", in bytes.
Result<std::uint64_t> parse_size(std::string_view flag, std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
  const std::size_t shift = unit == std::string_view::npos ? 0 : (unit + 1) * 10;
  const std::string_view digits = text.substr(0, text.size() - (shift > 0 ? 1 : 0));
  Result<std::uint64_t> number = parse_number(flag, digits, 1, UINT64_MAX >> shift);
  if (number) return *number << shift;
  return bad_usage("--", flag, " '", text,
                   "' must be a number of bytes, or one with K, M, G or T such as 500M");
}

std::uint64_t half_of_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

// The file for what does not fit lies beside the output, where there is one.
Result<native::TokenMemory> token_memory_from(const Arguments& arguments) {
  native::TokenMemory memory{half_of_memory(), {}};
  if (arguments.has("max-memory")) {
    Result<std::uint64_t> bytes = parse_size("max-memory", arguments.get("max-memory"));
    if (!bytes) return bytes.error();
    memory.bytes = *bytes;
  }
  const std::string output = arguments.get("output");
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path place =
      output.empty() || output == "-" ? fs::temp_directory_path(error) : fs::path(output).parent_path();
  memory.folder = place.empty() ? "." : place.string();
  return memory;
}

Result<unsigned> threads_from(const Arguments& arguments) {
  Result<std::uint64_t> asked = parse_number("threads", arguments.get("threads", "0"), 0, kMaxThreads);
  if (!asked) return asked.error();
  return native::thread_count(static_cast<std::uint32_t>(*asked));
}

Result<native::ReadOptions> reader_from(const Arguments& arguments, native::ReadOptions reader) {
  const Result<unsigned> threads = threads_from(arguments);
  if (!threads) return threads.error();
  reader.threads = *threads;
  Result<native::TokenMemory> memory = token_memory_from(arguments);
  if (!memory) return memory.error();
  reader.token_memory = *std::move(memory);
  if (arguments.has("input")) {
    reader.input = native::input_kind_named(arguments.get("input"));
    if (!reader.input) {
      return bad_usage("--input '", arguments.get("input"), "' must be one of ", native::kInputKindNames,
                       did_you_mean(arguments.get("input"), split_list(native::kInputKindNames, '|')));
    }
  }
  if (Status told = token_files_from(arguments, reader); !told) return told.error();
  if (arguments.has("tokenizer")) reader.tokenizer = arguments.get("tokenizer");
  // Saying where tokens come from replaces what the defaults say about it.
  if (arguments.has("tokens-field") || arguments.has("text-field") || arguments.has("prompt-field")) {
    reader.tokens_field.clear();
    reader.text_fields.clear();
    reader.prompt_field.clear();
    reader.completion_field.clear();
  }
  const std::pair<std::string_view, std::string*> names[] = {
      {"tokens-field", &reader.tokens_field},
      {"prompt-field", &reader.prompt_field},
      {"completion-field", &reader.completion_field},
      {"loss-mask-field", &reader.loss_mask_field},
      {"prompt-length-field", &reader.prompt_length_field},
      {"source-field", &reader.source_field},
      {"labels-field", &reader.labels_field}};
  for (const auto& [flag, name] : names) {
    if (!arguments.has(flag)) continue;
    *name = arguments.get(flag);
    if (name->empty()) return bad_usage("--", flag, " is empty; name a field");
  }
  if (arguments.has("text-field")) {
    reader.text_fields = arguments.list("text-field");
    if (reader.text_fields.empty()) return bad_usage("--text-field is empty; name a field");
  }
  if (arguments.has("ignore-field")) reader.ignored_fields = arguments.list("ignore-field");
  if (arguments.has("text-join")) {
    Result<std::string> joiner = unescape(arguments.get("text-join"));
    if (!joiner) return joiner.error();
    reader.text_join = *joiner;
  }
  if (arguments.has("limit-documents")) {
    Result<std::uint64_t> limit =
        parse_number("limit-documents", arguments.get("limit-documents"), 0, UINT32_MAX);
    if (!limit) return limit.error();
    reader.limit_documents = *limit;
  }
  return reader;
}

Result<native::CorpusData> read_with_progress(const std::vector<std::string>& inputs,
                                              const native::ReadOptions& reader, const Options& options,
                                              bool quiet) {
  Progress progress("reading", "bytes", quiet);
  Result<native::CorpusData> corpus = native::read_input(
      inputs, reader, [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); });
  if (!corpus) return corpus;
  if (corpus->document_count() > UINT32_MAX) {
    return Error{ErrorCode::too_large,
                 concat("the input has ", corpus->document_count(), " documents; the limit is ", UINT32_MAX,
                        ". Pack it in parts, or use --limit-documents")};
  }
  // A worker does not look at the tokens that it does not need; a stream has none left.
  if (reader.needed_documents != nullptr || reader.take_documents) return corpus;
  if (Status checked = check_corpus(corpus->view(), options); !checked) return checked.error();
  return corpus;
}

Result<native::CorpusData> read_documents(const std::vector<std::string>& inputs,
                                          const native::ReadOptions& reader, const Options& options,
                                          bool quiet) {
  Result<native::CorpusData> corpus = read_with_progress(inputs, reader, options, quiet);
  if (!corpus || corpus->histogram.empty()) return corpus;
  if (Status expanded = native::expand_histogram(reader, *corpus); !expanded) return expanded.error();
  return corpus;
}

bool lengths_suffice(const Options& options) { return !options.drop_duplicates && !options.vocab_size; }

void tell_repairs(const native::CorpusData& corpus, const Talk& talk) {
  if (corpus.spool) {
    talk.note(bytes_text(corpus.spool->size()) +
              " of tokens lie in a temporary file (--max-memory), removed at the end");
  }
  const native::Repairs& repairs = corpus.repairs;
  if (repairs.byte_order_marks > 0)
    talk.note("skipped " + counted(repairs.byte_order_marks, "byte order mark"));
  if (repairs.crlf_line_ends > 0)
    talk.note("took the carriage return off " + counted(repairs.crlf_line_ends, "line end"));
  if (repairs.blank_lines > 0) talk.note("skipped " + counted(repairs.blank_lines, "blank line"));
  if (repairs.zero_padded_files > 0)
    talk.note("skipped zeros behind the gzip data of " + counted(repairs.zero_padded_files, "file"));
  if (repairs.unended_documents > 0) {
    talk.note("the last document of " + counted(repairs.unended_documents, "file") +
              " lacks the end-of-document id: it is read without one");
  }
  for (const std::string& name : corpus.fields_left_out) {
    talk.note("field '" + name + "' is as long as the tokens but holds no numbers: left out");
  }
}

void tell_unread_options(const Arguments& arguments, const std::vector<Algorithm>& chosen, const Talk& talk) {
  const bool shuffles = arguments.has("shuffle-documents") || arguments.has("shuffle-windows");
  for (const OptionInfo& info : option_table()) {
    if (!arguments.has(flag_name(info.name)) || !is_special(info.name)) continue;
    if (info.name == "seed" && shuffles) continue;
    const bool read = std::any_of(chosen.begin(), chosen.end(),
                                  [&](Algorithm algorithm) { return reads_option(algorithm, info.name); });
    if (read) continue;
    const std::string by =
        chosen.size() == 1 ? std::string(algorithm_info(chosen[0]).name) : "any chosen algorithm";
    talk.note("--" + flag_name(info.name) + " is not read by " + by);
  }
}

Status check_together(const Options& options, const native::ReadOptions& reader, native::InputKind kind) {
  using native::InputKind;
  const bool lengths_alone =
      kind == InputKind::lengths || kind == InputKind::npy || kind == InputKind::histogram;
  if (options.drop_duplicates && lengths_alone) {
    return bad_usage("--drop-duplicates compares tokens, and ", native::input_kind_name(kind),
                     " input carries none; leave it out, or give JSON lines or text");
  }
  if (options.homogeneity == Homogeneity::none) return {};
  if (kind != InputKind::jsonl) {
    return bad_usage("--homogeneity needs each document's source, and ", native::input_kind_name(kind),
                     " input carries none; give JSON lines with --source-field");
  }
  if (reader.source_field.empty()) {
    return bad_usage("--homogeneity needs each document's source; name its field with --source-field");
  }
  return {};
}

void tell_idle_separator(const Options& options, const Arguments& arguments, const Talk& talk) {
  if (options.separator_id) return;
  if (arguments.has("separator")) talk.note("--separator is not read without --separator-id");
  if (options.separator_loss && !options.bos_id) {
    talk.note("--separator-loss is not read without --separator-id or --bos-id");
  }
}

Documents PlanInput::documents(const native::CorpusData& corpus) const {
  return {.lengths = lengths,
          .sources = corpus.sources,
          .source_names = corpus.source_names,
          .duplicates = duplicates};
}

PlanInput plan_input(const native::CorpusData& corpus, const Options& options) {
  PlanInput input;
  input.lengths = document_lengths(corpus.view());
  if (options.drop_duplicates && corpus.tokens_known) input.duplicates = find_duplicates(corpus.view());
  return input;
}

}  // namespace packscope::cli
