// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <algorithm>

#include "packscope/algorithms.hpp"
#include "terminal.hpp"

namespace packscope::cli {
namespace {

constexpr std::size_t kLabelWidth = 22;
constexpr std::size_t kValueWidth = 15;

void add_line(std::string& out, std::string_view label, const std::string& value,
              const std::string& detail = "") {
  std::string line = "  " + std::string(label);
  line.resize(std::max(line.size(), kLabelWidth), ' ');
  line += std::string(kValueWidth - std::min(kValueWidth, value.size()), ' ') + value;
  if (!detail.empty()) line += "   " + detail;
  out += line + "\n";
}

// Left-aligned, for what is no number.
void add_words(std::string& out, std::string_view label, const std::string& words) {
  std::string line = "  " + std::string(label);
  line.resize(kLabelWidth + 1, ' ');
  out += line + " " + words + "\n";
}

// Counts that are 0 are left out: what stands there, happened.
void add_count(std::string& out, std::string_view label, std::uint64_t count,
               const std::string& detail = "") {
  if (count > 0) add_line(out, label, thousands(count), detail);
}

std::string gap_text(const Stats& stats) {
  std::string text = "lower bound " + thousands(stats.lower_bound) + ", gap " + thousands(stats.gap());
  if (stats.gap() > 0 && stats.lower_bound > 0) {
    text += " (" +
            decimal(100.0 * static_cast<double>(stats.gap()) / static_cast<double>(stats.lower_bound), 2) +
            "%)";
  }
  return text;
}

void add_ledger(std::string& out, const Ledger& ledger) {
  add_count(out, "split documents", ledger.split_documents, "stand in more than one segment");
  add_count(out, "truncated documents", ledger.truncated_documents);
  add_count(out, "dropped documents", ledger.dropped_documents);
  add_count(out, "duplicate documents", ledger.duplicate_documents, "dropped");
  add_count(out, "empty documents", ledger.empty_documents, "skipped");
  add_count(out, "tokens dropped", ledger.tokens_dropped, "stand in no window");
  add_count(out, "separators added", ledger.separators_added);
}

double attention_share(const Stats& stats) {
  return stats.causal_pairs == 0
             ? 0
             : static_cast<double>(stats.attention_pairs) / static_cast<double>(stats.causal_pairs);
}

}  // namespace

std::string report_text(const Report& report) {
  const Stats& stats = *report.stats;
  const Ledger& ledger = *report.ledger;
  std::string out = std::string(algorithm_info(report.options->algorithm).name) + ", windows of " +
                    thousands(report.options->context_length) + " tokens\n\n";
  add_line(out, "documents", thousands(ledger.documents), report.input);
  add_line(out, "tokens", thousands(ledger.tokens));
  add_line(out, "windows", thousands(stats.windows), gap_text(stats));
  add_count(out, "filler windows", stats.filler_windows, "all padding");
  add_line(out, "real tokens", percent_text(stats.real_token_share()),
           thousands(stats.padding_tokens) + " of padding");
  const DocumentsPerWindow& per_window = stats.documents_per_window;
  add_line(out, "documents a window", decimal(per_window.mean, 1),
           "from " + thousands(per_window.min) + " to " + thousands(per_window.max) + ", median " +
               thousands(per_window.p50) + ", 95% have at most " + thousands(per_window.p95));
  add_line(out, "attention pairs", percent_text(attention_share(stats)),
           "of full causal: " + thousands(stats.attention_pairs) + " of " + thousands(stats.causal_pairs));
  add_ledger(out, ledger);
  add_count(out, "exact duplicates", stats.exact_duplicates.value_or(0), "repeat an earlier document");
  add_count(out, "without a target", stats.documents_without_target.value_or(0),
            "documents that train nothing");
  out += "\n";
  add_words(out, "fingerprint", report.fingerprint);
  if (!report.output.empty()) add_words(out, "output", report.output);
  if (report.times) add_words(out, "time", *report.times);
  return out;
}

}  // namespace packscope::cli
