// SPDX-License-Identifier: MIT
// Planning on a length histogram: exact window counts for a billion documents without their ids.
#pragma once

#include <cstdint>
#include <span>

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

// Whether `algorithm`'s result is a function of the histogram alone: pad, wrap's window count and the
// decreasing algorithms. (For wrap, splits and attention cost depend on the order: they are those of
// documents in ascending order of length.)
bool exact_from_histogram(Algorithm algorithm);

// Plans without ids. `histogram` in any order, lengths may repeat. Errors as pack(), and
// invalid_argument for an algorithm that is not exact_from_histogram.
Result<HistogramPlan> pack_histogram(std::span<const LengthCount> histogram, const Options& options);

}  // namespace packscope
