// SPDX-License-Identifier: MIT
// Fingerprints of small plans, computed with an XXH64 written in another language.
#include <gtest/gtest.h>

#include "packscope/plan.hpp"

namespace packscope {
namespace {

TEST(Fingerprint, IsThatOfItsThreeNumbersASegment) {
  Plan plan;
  plan.options.context_length = 8;
  plan.segments = {{0, 0, 3}, {2, 0, 5}, {1, 4, 1}};
  plan.window_offsets = {0, 2, 3};
  EXPECT_EQ(fingerprint_text(fingerprint(plan)), "2133df89ec1d0b9b");
}

TEST(Fingerprint, IsDefinedForNoWindows) {
  Plan plan;
  plan.options.context_length = 8;
  EXPECT_EQ(fingerprint_text(fingerprint(plan)), "91bee412b1d974db");
}

}  // namespace
}  // namespace packscope
