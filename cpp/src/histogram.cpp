// SPDX-License-Identifier: MIT
// pack_histogram(): counts of windows without document numbers, in time independent of the documents.
#include "packscope/histogram.hpp"

#include <algorithm>
#include <map>

#include "algorithms/decreasing.hpp"
#include "length_counts.hpp"
#include "packscope/algorithms.hpp"
#include "packscope/ledger_counts.hpp"
#include "pieces.hpp"
#include "text.hpp"
#include "window_tally.hpp"

namespace packscope {
namespace {

void add_scaled(Ledger& total, const Ledger& one, std::uint64_t times) {
  Ledger scaled = one;
  for (const auto& [name, count] : kLedgerCounts) scaled.*count *= times;
  total += scaled;
}

// What documents of one length become, `documents` times.
struct PlannedLength {
  std::uint64_t whole_length;
  std::uint64_t documents;
};

Result<std::vector<PlannedLength>> take_in_all(std::span<const LengthCount> histogram, const Options& options,
                                               Ledger& ledger) {
  const WindowRules rules(options);
  std::vector<PlannedLength> planned;
  std::uint64_t documents = 0;
  for (const LengthCount& entry : histogram) {
    if (entry.documents == 0) continue;
    if (entry.documents > kMaxDocuments || (documents += entry.documents) > kMaxDocuments) {
      return Error{ErrorCode::too_large,
                   concat("the histogram has more documents than the limit of ", kMaxDocuments)};
    }
    if (entry.length > kMaxDocumentLength) {
      return Error{ErrorCode::too_large,
                   concat("length ", entry.length, " is above the limit of ", kMaxDocumentLength)};
    }
    if (rules.long_documents == LongDocuments::error && entry.length > 0 && rules.is_long(entry.length)) {
      return document_too_long(rules, options, "a document", entry.length);
    }
    Ledger one{.documents = 1, .tokens = entry.length};
    DocumentLayout layout;
    const bool is_planned = take_in(rules, one, entry.length, false, layout);
    add_scaled(ledger, one, entry.documents);
    if (is_planned) planned.push_back({rules.whole_length(layout.kept()), entry.documents});
  }
  return planned;
}

LengthCounts count_pieces(std::span<const PlannedLength> planned, const WindowRules& rules, Ledger& ledger) {
  LengthCounts counts;
  for (const PlannedLength& entry : planned) {
    const PieceLengths pieces = piece_lengths(rules, entry.whole_length);
    counts.add(pieces.last, entry.documents);
    if (pieces.full == 0) continue;
    counts.add(rules.window, pieces.full * entry.documents);
    ledger.split_documents += entry.documents;
  }
  return counts;
}

std::uint64_t lower_bound(std::span<const LengthClass> classes, std::uint32_t capacity) {
  LengthCounts sizes;
  for (const LengthClass& pieces : classes) sizes.add(pieces.positions, pieces.count);
  return martello_toth_bound(sizes.counts(), capacity);
}

// Windows that hold one piece each.
void tally_alone(std::span<const LengthClass> classes, WindowTally& tally) {
  for (const LengthClass& pieces : classes) {
    tally.add_segment(pieces.length);
    tally.end_window(pieces.count);
  }
}

void tally_runs(const WindowRuns& runs, bool between, WindowTally& tally, Ledger& ledger) {
  std::vector<Placement> contents;
  for (const WindowRun& same : runs.runs) {
    runs.contents(same, contents);
    std::uint32_t left = same.documents;
    for (const Placement& placement : contents) {
      for (std::uint32_t k = 0; k < placement.per_window; ++k) {
        --left;
        const bool separated = between && left > 0;
        tally.add_segment(placement.length + (separated ? 1 : 0));
        if (separated) ledger.separators_added += same.count;
      }
    }
    tally.end_window(same.count);
  }
}

void add_fillers(const Options& options, HistogramPlan& result, WindowTally& tally) {
  const std::uint64_t extra = result.stats.windows % options.window_multiple;
  if (extra == 0) return;
  result.ledger.filler_windows = options.window_multiple - extra;
  tally.end_window(result.ledger.filler_windows);
}

void plan_wrap(std::span<const PlannedLength> planned, const WindowRules& rules, std::uint32_t context_length,
               HistogramPlan& result) {
  std::uint64_t documents = 0;
  std::uint64_t tokens = 0;
  for (const PlannedLength& entry : planned) {
    documents += entry.documents;
    tokens += entry.whole_length * entry.documents;
  }
  if (rules.between && documents > 0) {
    tokens += documents - 1;
    result.ledger.separators_added += documents - 1;
  }
  Stats& stats = result.stats;
  stats.windows = (tokens + rules.window - 1) / rules.window;
  stats.real_tokens = tokens;
  stats.causal_pairs =
      stats.windows * (std::uint64_t{context_length} * (std::uint64_t{context_length} + 1) / 2);
  stats.padding_tokens = stats.windows * rules.window - tokens;
  stats.lower_bound = stats.windows;
}

}  // namespace

bool exact_from_histogram(const Options& options) {
  if (options.flush_every) return false;
  switch (options.algorithm) {
    case Algorithm::pad:
    case Algorithm::first_fit_decreasing:
    case Algorithm::best_fit_decreasing:
      return true;
    case Algorithm::wrap:
      return options.tail == Tail::pad && options.document_multiple == 1 &&
             options.max_documents_per_window == kUnlimited;
    default:
      return false;
  }
}

Result<HistogramPlan> pack_histogram(std::span<const LengthCount> histogram, const Options& options) {
  if (auto status = check_options(options); !status) return status.error();
  if (options.homogeneity != Homogeneity::none) {
    return invalid_option("homogeneity needs the source of every document, which a histogram does not tell");
  }
  if (options.drop_duplicates)
    return invalid_option("drop_duplicates needs the documents' tokens, not a histogram");
  if (!exact_from_histogram(options)) {
    return invalid_argument("a histogram does not decide the plan of ",
                            algorithm_info(options.algorithm).name,
                            " with these options; pack the lengths in order");
  }
  const WindowRules rules(options);
  HistogramPlan result;
  const auto planned = take_in_all(histogram, options, result.ledger);
  if (!planned) return planned.error();
  WindowTally tally(options, result.stats);
  if (options.algorithm == Algorithm::wrap) {
    plan_wrap(*planned, rules, options.context_length, result);
    add_fillers(options, result, tally);
    return result;
  }
  const std::vector<LengthClass> classes =
      length_classes(count_pieces(*planned, rules, result.ledger).counts(), rules);
  if (options.algorithm == Algorithm::pad) {
    tally_alone(classes, tally);
  } else {
    const Fit fit = options.algorithm == Algorithm::first_fit_decreasing ? Fit::first : Fit::best;
    tally_runs(
        plan_window_runs(classes, fit, rules.capacity, options.min_room, options.max_documents_per_window),
        rules.between, tally, result.ledger);
  }
  result.stats.lower_bound = lower_bound(classes, rules.capacity);
  add_fillers(options, result, tally);
  tally.finish();
  return result;
}

}  // namespace packscope
