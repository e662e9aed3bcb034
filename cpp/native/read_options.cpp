// SPDX-License-Identifier: MIT
#include "read_options.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "corpus_folder.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::array<std::pair<InputKind, std::string_view>, 8> kKindNames{{
    {InputKind::jsonl, "jsonl"},
    {InputKind::text, "text"},
    {InputKind::text_files, "text-files"},
    {InputKind::lengths, "lengths"},
    {InputKind::histogram, "histogram"},
    {InputKind::npy, "npy"},
    {InputKind::megatron, "megatron"},
    {InputKind::corpus, "corpus"},
}};

constexpr std::array<std::pair<std::string_view, InputKind>, 6> kKindsByEnding{{
    {".jsonl", InputKind::jsonl},
    {".ndjson", InputKind::jsonl},
    {".hist.tsv", InputKind::histogram},
    {".txt", InputKind::text},
    {".npy", InputKind::npy},
    {".idx", InputKind::megatron},
}};

Result<InputKind> kind_by_name(std::string_view path) {
  if (path == "-") return InputKind::jsonl;
  if (is_corpus_folder(std::string(path))) return InputKind::corpus;
  std::string_view name = path;
  const std::string_view compression = name.ends_with(".gz") ? ".gz" : name.ends_with(".zst") ? ".zst" : "";
  name.remove_suffix(compression.size());
  for (const auto& [ending, kind] : kKindsByEnding) {
    if (name.ends_with(ending)) return kind;
  }
  return bad_usage(path,
                   ": its name does not tell what it holds (.jsonl, .txt, .npy or .hist.tsv, each also .gz "
                   "or .zst; .idx); ",
                   "say it with --input ", kInputKindNames);
}

Status check_distinct(const ReadOptions& options) {
  std::vector<std::string_view> named(options.text_fields.begin(), options.text_fields.end());
  for (const std::string* name :
       {&options.tokens_field, &options.prompt_field, &options.completion_field, &options.loss_mask_field,
        &options.prompt_length_field, &options.source_field, &options.labels_field}) {
    if (!name->empty()) named.push_back(*name);
  }
  if (options.tokens_field.empty() && !options.reads_text()) named.push_back(kDefaultTokensField);
  named.insert(named.end(), options.ignored_fields.begin(), options.ignored_fields.end());
  std::sort(named.begin(), named.end());
  const auto twice = std::adjacent_find(named.begin(), named.end());
  if (twice == named.end()) return {};
  return bad_usage("the field '", *twice, "' is named twice by the flags; each field has one purpose");
}

}  // namespace

std::string_view input_kind_name(InputKind kind) {
  for (const auto& [value, name] : kKindNames) {
    if (value == kind) return name;
  }
  return "";
}

std::optional<InputKind> input_kind_named(std::string_view name) {
  for (const auto& [value, known] : kKindNames) {
    if (known == name) return value;
  }
  return {};
}

bool tokenizes(InputKind kind, const ReadOptions& options) {
  const bool plain_text = kind == InputKind::text || kind == InputKind::text_files;
  return plain_text || (kind == InputKind::jsonl && options.reads_text());
}

Status check_read_options(const ReadOptions& options) {
  if (options.prompt_field.empty() != options.completion_field.empty()) {
    return bad_usage("--prompt-field and --completion-field need each other: give both, or --text-field");
  }
  if (!options.text_fields.empty() && !options.prompt_field.empty()) {
    return bad_usage("--text-field and --prompt-field both say where the text is; give one of them");
  }
  if (options.reads_text() && !options.tokens_field.empty()) {
    return bad_usage("--tokens-field and ", options.text_fields.empty() ? "--prompt-field" : "--text-field",
                     " both say where the tokens come from; give one of them");
  }
  if (!options.prompt_field.empty() && !options.prompt_length_field.empty()) {
    return bad_usage("--prompt-field already sets the prompt length; leave out --prompt-length-field");
  }
  if (!options.labels_field.empty() && !options.loss_mask_field.empty()) {
    return bad_usage(
        "--labels-field and --loss-mask-field both say which tokens are targets; give one of them");
  }
  return check_distinct(options);
}

Result<InputKind> input_kind(std::span<const std::string> paths, const ReadOptions& options) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    return bad_usage("'-' (standard input) can be read only once");
  }
  if (options.input) return *options.input;
  std::optional<InputKind> common;
  for (const std::string& path : paths) {
    Result<InputKind> kind = kind_by_name(path);
    if (!kind) return kind;
    if (common && *common != *kind) {
      return bad_usage(path, " is ", input_kind_name(*kind), " by its name but ", paths[0], " is ",
                       input_kind_name(*common), "; one run reads one kind, or say it with --input ",
                       kInputKindNames);
    }
    common = *kind;
  }
  if (!common) return bad_usage("no input: name a file, or - for standard input");
  return *common;
}

}  // namespace packscope::native
