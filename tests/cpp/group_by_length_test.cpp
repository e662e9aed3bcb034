// SPDX-License-Identifier: MIT
#include "packscope/group_by_length.hpp"

#include <gtest/gtest.h>

#include <random>

namespace packscope {
namespace {

using Lengths = std::vector<std::uint32_t>;

LengthGroups grouped(const Lengths& lengths, const GroupByLengthOptions& options) {
  Result<LengthGroups> groups = group_by_length(lengths, options);
  EXPECT_TRUE(groups) << groups.error().message;
  return groups ? *std::move(groups) : LengthGroups{};
}

TEST(GroupByLength, SortsLongestFirstAndKeepsTiesInOrder) {
  const LengthGroups groups = grouped({2, 5, 0, 2, 3}, {.max_rows = 2});
  EXPECT_EQ(groups.order, (Lengths{1, 4, 0, 3}));
  EXPECT_EQ(groups.position, (Lengths{2, 0, kNotGrouped, 3, 1}));
  EXPECT_EQ(groups.batch_offsets, (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(groups.padded_lengths, (Lengths{5, 2}));
  EXPECT_EQ(groups.real_tokens, 12u);
  EXPECT_EQ(groups.padded_tokens, 14u);
  EXPECT_EQ(groups.empty_documents, 1u);
}

TEST(GroupByLength, CountsPaddingAgainstMaxTokens) {
  const LengthGroups groups = grouped({3, 3, 3, 1}, {.max_tokens = 8, .pad_to = 4});
  EXPECT_EQ(groups.batch_offsets, (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(groups.padded_lengths, (Lengths{4, 4}));
  EXPECT_EQ(groups.padded_tokens, 16u);
}

TEST(GroupByLength, GivesNoBatchesForNoDocuments) {
  EXPECT_EQ(grouped({}, {.max_rows = 2}).batch_offsets, (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(grouped({0, 0}, {.max_rows = 2}).batch_offsets, (std::vector<std::uint64_t>{0}));
}

TEST(GroupByLength, RefusesMissingLimits) {
  EXPECT_EQ(group_by_length({}, {}).error().code, ErrorCode::invalid_option);
  EXPECT_EQ(group_by_length({}, {.max_rows = 1, .pad_to = 0}).error().code, ErrorCode::invalid_option);
}

TEST(GroupByLength, NamesTheDocumentThatFitsNoBatch) {
  const Result<LengthGroups> groups = group_by_length(Lengths{1, 9, 2}, {.max_tokens = 8});
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().code, ErrorCode::document_too_long);
  EXPECT_EQ(groups.error().document, 1u);
}

TEST(GroupByLength, RefusesAPaddedLengthBeyond32Bits) {
  EXPECT_EQ(group_by_length(Lengths{UINT32_MAX}, {.max_rows = 1, .pad_to = 2}).error().code,
            ErrorCode::too_large);
}

TEST(GroupByLength, BatchesKeepTheirLimitsAndAreAsLargeAsTheyCanBe) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    Lengths lengths(random() % 50);
    for (std::uint32_t& length : lengths) length = static_cast<std::uint32_t>(random() % 20);
    const GroupByLengthOptions options{20 + random() % 100, random() % 8,
                                       1 + static_cast<std::uint32_t>(random() % 5)};
    const LengthGroups groups = grouped(lengths, options);
    const auto fits = [&](std::uint64_t rows, std::uint64_t padded) {
      return rows * padded <= options.max_tokens && (options.max_rows == 0 || rows <= options.max_rows);
    };
    for (std::size_t b = 0; b < groups.padded_lengths.size(); ++b) {
      const std::uint64_t rows = groups.batch_offsets[b + 1] - groups.batch_offsets[b];
      const std::uint32_t longest = lengths[groups.order[static_cast<std::size_t>(groups.batch_offsets[b])]];
      const std::uint32_t padded = groups.padded_lengths[b];
      ASSERT_GE(padded, longest);
      ASSERT_LT(padded, longest + options.pad_to);
      ASSERT_EQ(padded % options.pad_to, 0u);
      ASSERT_TRUE(fits(rows, padded));
      const bool last = groups.batch_offsets[b + 1] == groups.order.size();
      ASSERT_TRUE(last || !fits(rows + 1, padded));
    }
    for (std::uint32_t i = 0; i < groups.order.size(); ++i) ASSERT_EQ(groups.position[groups.order[i]], i);
    ASSERT_EQ(groups.batch_offsets.back(), groups.order.size());
    ASSERT_EQ(groups.order.size() + groups.empty_documents, lengths.size());
  }
}

}  // namespace
}  // namespace packscope
