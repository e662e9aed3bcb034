// SPDX-License-Identifier: MIT
// pack_into(): whatever a plan held before, the next one is the same as from new memory.
#include <gtest/gtest.h>

#include <vector>

#include "packscope/packscope.hpp"
#include "random_case.hpp"

namespace packscope_tests {
namespace {

using packscope::Algorithm;

TEST(PackInto, ForgetsWhatThePlanHeldBefore) {
  packscope::Plan reused;
  packscope::PackScratch scratch;
  CaseMaker maker(11);
  for (int round = 0; round < 40; ++round) {
    for (const packscope::AlgorithmInfo& info : packscope::algorithms()) {
      const RandomCase made = maker.make(info.algorithm, 1 + static_cast<std::uint32_t>(round) * 3);
      const auto expected = packscope::pack(made.documents(), made.options);
      const auto status = packscope::pack_into(reused, made.documents(), made.options, scratch);
      ASSERT_EQ(bool(status), bool(expected));
      if (!expected) continue;
      ASSERT_EQ(reused.segments, expected->segments);
      ASSERT_EQ(reused.window_offsets, expected->window_offsets);
      ASSERT_EQ(reused.ledger, expected->ledger);
      ASSERT_EQ(reused.ledger_by_source, expected->ledger_by_source);
    }
  }
}

TEST(PackInto, KeepsTheMemoryOfTheCallBefore) {
  const std::vector<std::uint32_t> lengths(1000, 7);
  packscope::Documents documents;
  documents.lengths = lengths;
  for (const packscope::AlgorithmInfo& info : packscope::algorithms()) {
    packscope::Options options;
    options.algorithm = info.algorithm;
    options.context_length = 64;
    packscope::Plan plan;
    packscope::PackScratch scratch;
    ASSERT_TRUE(packscope::pack_into(plan, documents, options, scratch));
    const packscope::Segment* const segments = plan.segments.data();
    const std::uint32_t* const ids = scratch.ids.data();
    ASSERT_TRUE(packscope::pack_into(plan, documents, options, scratch));
    EXPECT_EQ(plan.segments.data(), segments) << info.name;
    EXPECT_EQ(scratch.ids.data(), ids) << info.name;
  }
}

}  // namespace
}  // namespace packscope_tests
