// SPDX-License-Identifier: MIT
// The longest of many documents and the sum of their lengths, in SIMD where that is built in and the
// processor has it: a pass over the lengths that every plan begins with.
#pragma once

#include <cstdint>
#include <span>

namespace packscope {

struct LengthTotals {
  std::uint32_t longest = 0;
  std::uint64_t tokens = 0;
};

LengthTotals scalar_length_totals(std::span<const std::uint32_t> lengths);

// By the widest registers of this processor.
LengthTotals length_totals(std::span<const std::uint32_t> lengths);

}  // namespace packscope
