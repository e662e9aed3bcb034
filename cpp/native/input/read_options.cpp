// SPDX-License-Identifier: MIT
#include "input/read_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "files/megatron_layout.hpp"
#include "input/corpus_folder.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::array<std::pair<InputKind, std::string_view>, 10> kKindNames{{
    {InputKind::jsonl, "jsonl"},
    {InputKind::text, "text"},
    {InputKind::text_files, "text-files"},
    {InputKind::lengths, "lengths"},
    {InputKind::histogram, "histogram"},
    {InputKind::npy, "npy"},
    {InputKind::npy_tokens, "npy-tokens"},
    {InputKind::megatron, "megatron"},
    {InputKind::tokens, "tokens"},
    {InputKind::corpus, "corpus"},
}};

constexpr std::array<std::pair<std::string_view, IntegerType>, 2> kTokenTypes{{
    {"uint16", {2, false}},
    {"uint32", {4, false}},
}};

constexpr std::array<std::pair<std::string_view, InputKind>, 6> kKindsByEnding{{
    {".jsonl", InputKind::jsonl},
    {".ndjson", InputKind::jsonl},
    {".hist.tsv", InputKind::histogram},
    {".txt", InputKind::text},
    {".npy", InputKind::npy},
    {kMegatronIndexEnding, InputKind::megatron},
}};

bool has_index(std::string_view token_file) {
  token_file.remove_suffix(kTokenFileEnding.size());
  std::error_code ignored;
  return std::filesystem::exists(concat(token_file, kMegatronIndexEnding), ignored);
}

Result<InputKind> kind_by_name(std::string_view path) {
  if (path == "-") return InputKind::jsonl;
  if (is_corpus_folder(std::string(path))) return InputKind::corpus;
  if (path.ends_with(kTokenFileEnding)) return has_index(path) ? InputKind::megatron : InputKind::tokens;
  std::string_view name = path;
  const std::string_view compression = name.ends_with(".gz") ? ".gz" : name.ends_with(".zst") ? ".zst" : "";
  name.remove_suffix(compression.size());
  for (const auto& [ending, kind] : kKindsByEnding) {
    if (name.ends_with(ending)) return kind;
  }
  return bad_usage(path,
                   ": its name does not tell what it holds (.jsonl, .txt, .npy or .hist.tsv, each also .gz "
                   "or .zst; .bin, .idx); ",
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

std::optional<IntegerType> token_type_named(std::string_view name) {
  for (const auto& [known, type] : kTokenTypes) {
    if (known == name) return type;
  }
  return {};
}

std::string_view token_type_name(const IntegerType& type) {
  for (const auto& [name, known] : kTokenTypes) {
    if (known.bytes == type.bytes) return name;
  }
  return "";
}

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

Status check_kind_options(InputKind kind, std::size_t files, const ReadOptions& options) {
  const std::string_view name = input_kind_name(kind);
  const bool is_raw = kind == InputKind::tokens;
  if (is_raw && (!options.token_type || !options.end_of_document)) {
    return bad_usage("a raw token file does not tell what its bytes are; give ", "--token-type ",
                     kTokenTypeNames,
                     " and --end-of-document ID (files of Megatron need their .idx beside the .bin)");
  }
  if (!is_raw && (options.token_type || options.end_of_document)) {
    return bad_usage(options.token_type ? "--token-type" : "--end-of-document",
                     " is for raw token files, and the input is ", name,
                     "; leave it out, or say --input tokens");
  }
  if (is_raw && options.token_type->bytes == 2 && *options.end_of_document > UINT16_MAX) {
    return bad_usage("--end-of-document ", *options.end_of_document, " is no uint16, whose largest id is ",
                     UINT16_MAX, "; check it, or give --token-type uint32");
  }
  if (kind != InputKind::npy_tokens && !options.offsets.empty()) {
    return bad_usage("--offsets is for tokens in .npy files, and the input is ", name, "; leave it out");
  }
  if (kind == InputKind::npy_tokens && options.offsets.size() != files) {
    return bad_usage("there are ", counted_noun(files, "file"), " of tokens and ",
                     counted_noun(options.offsets.size(), "file"),
                     " of offsets; give --offsets FILE once for each, in the same order");
  }
  return {};
}

Result<InputKind> input_kind(std::span<const std::string> paths, const ReadOptions& options) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    return bad_usage("'-' (standard input) can be read only once");
  }
  const auto with_offsets = [&](InputKind kind) {
    return kind == InputKind::npy && !options.offsets.empty() ? InputKind::npy_tokens : kind;
  };
  if (options.input) return with_offsets(*options.input);
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
  return with_offsets(*common);
}

}  // namespace packscope::native
