// SPDX-License-Identifier: MIT
#include "output/report_json.hpp"

#include <algorithm>

#include "message.hpp"

namespace packscope::native {
namespace {

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void write_option(JsonWriter& json, const OptionInfo& info, std::string_view text) {
  json.key(info.name);
  if (info.value.starts_with('N') && text == "none") {
    json.null();
  } else if (info.value == "true|false" || (info.value.starts_with('N') && is_integer(text))) {
    json.raw(text);
  } else {
    json.value(text);
  }
}

}  // namespace

void write_ledger(JsonWriter& json, const Ledger& ledger) {
  json.begin_object()
      .member("documents", ledger.documents)
      .member("tokens", ledger.tokens)
      .member("empty_documents", ledger.empty_documents)
      .member("dropped_documents", ledger.dropped_documents)
      .member("truncated_documents", ledger.truncated_documents)
      .member("split_documents", ledger.split_documents)
      .member("duplicate_documents", ledger.duplicate_documents)
      .member("tokens_dropped", ledger.tokens_dropped)
      .member("separators_added", ledger.separators_added)
      .member("filler_windows", ledger.filler_windows)
      .end_object();
}

void write_ledger_by_source(JsonWriter& json, const Plan& plan) {
  json.begin_object();
  for (std::size_t i = 0; i < plan.source_names.size() && i < plan.ledger_by_source.size(); ++i) {
    json.key(plan.source_names[i]);
    write_ledger(json, plan.ledger_by_source[i]);
  }
  json.end_object();
}

void write_stats(JsonWriter& json, const Stats& stats) {
  json.begin_object()
      .member("windows", stats.windows)
      .member("filler_windows", stats.filler_windows)
      .member("segments", stats.segments)
      .member("real_tokens", stats.real_tokens)
      .member("padding_tokens", stats.padding_tokens)
      .member("real_token_share", stats.real_token_share())
      .member("lower_bound", stats.lower_bound)
      .member("gap", stats.gap())
      .member("sum_squared_lengths", stats.sum_squared_lengths)
      .member("attention_pairs", stats.attention_pairs)
      .member("causal_pairs", stats.causal_pairs);
  const DocumentsPerWindow& per_window = stats.documents_per_window;
  json.key("documents_per_window")
      .inline_next()
      .begin_object()
      .member("min", per_window.min)
      .member("p50", per_window.p50)
      .member("p95", per_window.p95)
      .member("max", per_window.max)
      .member("mean", per_window.mean)
      .end_object();
  if (stats.exact_duplicates) json.member("exact_duplicates", *stats.exact_duplicates);
  if (stats.documents_without_target)
    json.member("documents_without_target", *stats.documents_without_target);
  json.end_object();
}

void write_options(JsonWriter& json, const Options& options) {
  json.begin_object();
  for (const OptionInfo& info : option_table()) write_option(json, info, get_option(options, info.name));
  json.end_object();
}

void write_repairs(JsonWriter& json, const Repairs& repairs) {
  json.inline_next().begin_object();
  for (const auto& [name, count] : kRepairCounts) json.member(name, repairs.*count);
  json.end_object();
}

std::string cu_seqlens_text(const Options& options) {
  std::string text =
      options.cu_seqlens == CuSeqlens::window
          ? "int32, each window from 0 to context_length; the padding tail is its own last entry"
          : "int32, each window from 0 to its last real token; the padding tail is left out";
  if (options.cu_seqlens_width) {
    text += concat("; ", *options.cu_seqlens_width,
                   " entries a window, the total repeated, of which cu_seqlens_count are its own");
  }
  if (options.document_multiple > 1) {
    text += "; cu_seqlens sums real lengths, cu_seqlens_padded gives memory offsets";
  }
  return text;
}

}  // namespace packscope::native
