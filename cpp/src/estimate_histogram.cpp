// SPDX-License-Identifier: MIT
// estimate_histogram(): counts for plans that depend on the order, from documents drawn of a histogram.
#include <cmath>

#include "packscope/algorithms.hpp"
#include "packscope/histogram.hpp"
#include "packscope/ledger_counts.hpp"
#include "packscope/pack.hpp"

namespace packscope {
namespace {

std::uint64_t scaled(std::uint64_t count, double scale) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * scale));
}

void scale_up(HistogramPlan& plan, double scale) {
  Stats& stats = plan.stats;
  for (std::uint64_t* count :
       {&stats.windows, &stats.filler_windows, &stats.segments, &stats.real_tokens, &stats.padding_tokens,
        &stats.lower_bound, &stats.sum_squared_lengths, &stats.attention_pairs, &stats.causal_pairs}) {
    *count = scaled(*count, scale);
  }
  for (const auto& [name, count] : kLedgerCounts) plan.ledger.*count = scaled(plan.ledger.*count, scale);
}

// The lower bound needs no order: the histogram gives it exactly.
void use_exact_bound(HistogramPlan& plan, std::span<const LengthCount> histogram, Options options) {
  const std::uint32_t context_length = options.context_length;
  options.long_documents = long_documents_rule(options);
  const bool splits = algorithm_info(options.algorithm).splits;
  options.algorithm = splits ? Algorithm::wrap : Algorithm::best_fit_decreasing;
  // A histogram cannot be planned with these, and the bound does not count on them.
  options.tail = Tail::pad;
  options.flush_every.reset();
  if (splits) options.document_multiple = 1;
  Stats& stats = plan.stats;
  if (const auto exact = pack_histogram(histogram, options)) stats.lower_bound = exact->stats.lower_bound;
  const std::uint64_t least = stats.lower_bound + stats.filler_windows;
  if (stats.windows >= least) return;
  stats.padding_tokens += (least - stats.windows) * context_length;
  stats.windows = least;
}

}  // namespace

Result<HistogramPlan> estimate_histogram(std::span<const LengthCount> histogram,
                                         std::span<const std::uint32_t> drawn, const Options& options) {
  Documents documents;
  documents.lengths = drawn;
  const Result<Plan> plan = pack(documents, options);
  if (!plan) return plan.error();
  const Result<Stats> measured = stats(*plan, documents);
  if (!measured) return measured.error();
  HistogramPlan estimate{plan->ledger, *measured};
  if (drawn.empty()) return estimate;
  double all = 0;
  for (const LengthCount& entry : histogram) all += static_cast<double>(entry.documents);
  scale_up(estimate, all / static_cast<double>(drawn.size()));
  use_exact_bound(estimate, histogram, options);
  return estimate;
}

}  // namespace packscope
