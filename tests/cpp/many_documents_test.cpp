// SPDX-License-Identifier: MIT
// Documents of one unnamed source are planned in blocks and counted by their tokens, others one by one: both
// ways give the same plan, over more documents than a block has and with documents of many windows among
// them.
#include <gtest/gtest.h>

#include <utility>

#include "packscope/packscope.hpp"
#include "random_case.hpp"

namespace packscope_tests {
namespace {

constexpr std::uint32_t kDocuments = 3000;

class ManyDocuments : public testing::TestWithParam<packscope::Algorithm> {};

// Without sources, duplicates or documents that are refused.
RandomCase many_of_one_source(CaseMaker& maker, packscope::Algorithm algorithm,
                              std::uint32_t context_length) {
  RandomCase made = maker.make(algorithm, context_length);
  made.options.homogeneity = packscope::Homogeneity::none;
  made.options.groups.clear();
  made.options.drop_duplicates = false;
  if (made.options.long_documents == packscope::LongDocuments::error) made.options.long_documents.reset();
  const std::uint32_t longest = context_length * maker.number(1, 200);
  made.lengths.clear();
  for (std::uint32_t i = 0; i < kDocuments; ++i) {
    const bool edge = maker.one_in(4);
    made.lengths.push_back(edge ? context_length + maker.number(0, 2) - 1 : maker.number(0, longest));
    if (maker.one_in(2)) made.lengths.back() = maker.number(0, context_length / 4 + 1);
  }
  made.sources.clear();
  made.source_names.clear();
  made.duplicates.clear();
  return made;
}

TEST_P(ManyDocuments, ArePlannedInBlocksAsOneByOne) {
  CaseMaker maker(77);
  for (int round = 0; round < 60; ++round) {
    RandomCase made = many_of_one_source(maker, GetParam(), maker.number(1, 40));
    const auto in_blocks = packscope::pack(made.documents(), made.options);
    made.sources.assign(made.lengths.size(), 0);
    made.source_names = {"only"};
    const auto one_by_one = packscope::pack(made.documents(), made.options);
    SCOPED_TRACE(describe(made));
    ASSERT_EQ(bool(in_blocks), bool(one_by_one));
    if (!in_blocks) continue;
    ASSERT_EQ(in_blocks->segments, one_by_one->segments);
    ASSERT_EQ(in_blocks->window_offsets, one_by_one->window_offsets);
    ASSERT_EQ(in_blocks->ledger, one_by_one->ledger);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ManyDocuments, testing::ValuesIn([] {
                           std::vector<packscope::Algorithm> all;
                           for (const auto& row : packscope::algorithms()) all.push_back(row.algorithm);
                           return all;
                         }()),
                         [](const auto& tested) {
                           return std::string(packscope::algorithm_info(tested.param).name);
                         });

}  // namespace
}  // namespace packscope_tests
