// SPDX-License-Identifier: MIT
// Documents drawn from a length histogram, for algorithms whose result depends on the order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "packscope/histogram.hpp"

namespace packscope::native {

// At most `size` lengths in the histogram's proportions, shuffled. The same seed gives the same sample.
std::vector<std::uint32_t> draw_lengths(std::span<const LengthCount> histogram, std::uint64_t size,
                                        std::uint64_t seed);

}  // namespace packscope::native
