// SPDX-License-Identifier: MIT
// Planning on a length histogram: exact window counts for a billion documents without their ids.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "packscope/options.hpp"
#include "packscope/plan.hpp"
#include "packscope/stats.hpp"

namespace packscope {

struct LengthCount {
  std::uint32_t length = 0;  // tokens
  std::uint64_t documents = 0;
};

struct HistogramPlan {
  Ledger ledger;
  Stats stats;
};

// Whether the plan is a function of the histogram alone: pad and the decreasing algorithms, and wrap's
// windows and tokens, unless flush_every, tail=drop or (for wrap) document_multiple or
// max_documents_per_window make the order matter.
bool exact_from_histogram(const Options& options);

// Plans without ids. `histogram` in any order, lengths may repeat. For wrap, what depends on the order is
// left at 0: split documents, segments, documents per window, squared lengths and attention pairs.
// Errors as pack(), and invalid_argument where exact_from_histogram is false.
Result<HistogramPlan> pack_histogram(std::span<const LengthCount> histogram, const Options& options);

// At most `size` lengths in the histogram's proportions, shuffled. The same seed draws the same.
std::vector<std::uint32_t> draw_lengths(std::span<const LengthCount> histogram, std::uint64_t size,
                                        std::uint64_t seed);

// What packing comes to where the order of the documents matters: the plan of `drawn` lengths scaled up to
// all documents, with the exact lower bound. Errors as pack().
Result<HistogramPlan> estimate_histogram(std::span<const LengthCount> histogram,
                                         std::span<const std::uint32_t> drawn, const Options& options);

}  // namespace packscope
