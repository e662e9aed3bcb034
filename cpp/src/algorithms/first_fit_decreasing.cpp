// SPDX-License-Identifier: MIT
// first_fit_decreasing: documents from longest to shortest (stable), each to the earliest opened window with
// room for it; unlimited open windows, numbered in the order they are opened. O(documents + distinct (length,
// room) steps), see window_runs.hpp. At most 11/9 of the optimum + 6/9 windows. Johnson 1973; tight bound
// Dosa 2007.
#include "algorithms/decreasing.hpp"

namespace packscope {

void pack_first_fit_decreasing(const DocumentSet& documents, Run& run) {
  pack_decreasing(documents, Fit::first, run);
}

}  // namespace packscope
