// SPDX-License-Identifier: MIT
// The SIMD pass over lengths against its scalar twin, on every length and every instruction set that this
// processor has.
#include "kernels/length_totals.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "every_target.hpp"
#include "packscope/random.hpp"

namespace packscope {
namespace {

constexpr std::size_t kMost = 67;  // more than four vectors of the widest registers, and every tail

void expect_same_as_scalar(const std::string& name) {
  Random random(11);
  for (const std::uint64_t largest : {1u, 3000u, UINT32_MAX}) {
    for (std::size_t count = 0; count <= kMost; ++count) {
      std::vector<std::uint32_t> lengths(count);
      for (std::uint32_t& length : lengths) length = static_cast<std::uint32_t>(random.below(largest + 1));
      SCOPED_TRACE(name + ": " + std::to_string(count) + " lengths up to " + std::to_string(largest));
      const LengthTotals totals = length_totals(lengths);
      const LengthTotals expected = scalar_length_totals(lengths);
      ASSERT_EQ(totals.longest, expected.longest);
      ASSERT_EQ(totals.tokens, expected.tokens);
    }
  }
}

TEST(LengthTotals, EveryInstructionSetEqualsScalar) { on_every_target(expect_same_as_scalar); }

TEST(LengthTotals, SumsDoNotOverflow) {
  const std::vector<std::uint32_t> lengths(1000, UINT32_MAX);
  EXPECT_EQ(length_totals(lengths).tokens, 1000 * std::uint64_t{UINT32_MAX});
  EXPECT_EQ(length_totals(lengths).longest, UINT32_MAX);
  EXPECT_EQ(length_totals({}).longest, 0u);
}

}  // namespace
}  // namespace packscope
