// SPDX-License-Identifier: MIT
// What first_fit_decreasing and best_fit_decreasing share: histogram, counting sort, and handing
// out document numbers to planned windows.
#pragma once

#include "algorithms/algorithm.hpp"
#include "algorithms/window_runs.hpp"

namespace packscope {

// Longest first (stable), each to a window by `fit`.
void pack_decreasing(const DocumentSet& documents, Fit fit, Run& run);

// Classes of a histogram of planned lengths, index = length, longest first.
std::vector<LengthClass> length_classes(std::span<const std::uint64_t> histogram, const WindowRules& rules);

}  // namespace packscope
