// SPDX-License-Identifier: MIT
// best_fit_decreasing: documents from longest to shortest (stable), each to the window that it leaves with
// the least room; unlimited open windows, numbered in the order they are opened. O(documents + distinct
// (length, room) steps), see window_runs.hpp. At most 11/9 of the optimum + 4 windows. Johnson 1973.
#include "algorithms/decreasing.hpp"

namespace packscope {

void pack_best_fit_decreasing(const DocumentSet& documents, Run& run) {
  pack_decreasing(documents, Fit::best, run);
}

}  // namespace packscope
