// SPDX-License-Identifier: MIT
// Masks: hand-worked ones, then every cell of random windows against the rule restated literally.
#include "packscope/masks.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "cpp/mask_rule.hpp"

namespace packscope {
namespace {

using packscope_tests::MaskExample;
using packscope_tests::window_of;
using Lines = std::vector<std::string>;

Lines lines_of(const Plan& plan, const MaskOptions& options) {
  const Result<std::vector<std::uint8_t>> mask = boolean_mask(plan, 0, options);
  if (!mask) return {mask.error().message};
  Lines lines(plan.options.context_length);
  for (std::size_t i = 0; i < mask->size(); ++i) {
    lines[i / plan.options.context_length] += (*mask)[i] == 1 ? '1' : '0';
  }
  return lines;
}

TEST(Mask, KeepsDocumentsApart) {
  EXPECT_EQ(lines_of(window_of(5, {{0, 0, 3}, {1, 0, 2}}), {}),
            (Lines{"10000", "11000", "11100", "00010", "00011"}));
}

TEST(Mask, ShowsTheLeakWithoutTheDocumentRule) {
  EXPECT_EQ(lines_of(window_of(4, {{0, 0, 2}, {1, 0, 1}}), {.document_mask = false}),
            (Lines{"1000", "1100", "1110", "0001"}));
}

TEST(Mask, SlidingWindowCountsTheTokenItself) {
  EXPECT_EQ(lines_of(window_of(5, {{0, 0, 5}}), {.sliding_window = 3}),
            (Lines{"10000", "11000", "11100", "01110", "00111"}));
  EXPECT_EQ(lines_of(window_of(4, {{0, 0, 4}}), {.mask = Mask::bidirectional, .sliding_window = 2}),
            (Lines{"1100", "1110", "0111", "0011"}));
}

TEST(Mask, PaddingQueriesSeeThemselvesOrNothing) {
  const Plan plan = window_of(4, {{0, 0, 2}});
  EXPECT_EQ(lines_of(plan, {}), (Lines{"1000", "1100", "0010", "0001"}));
  EXPECT_EQ(lines_of(plan, {.padding_queries = PaddingQueries::masked}),
            (Lines{"1000", "1100", "0000", "0000"}));
}

TEST(Mask, PrefixesSeeThemselvesBothWays) {
  const std::vector<std::uint32_t> prefixes{3, 1};
  EXPECT_EQ(lines_of(window_of(8, {{0, 0, 5}, {1, 0, 3}}), {.prefix_lengths = prefixes}),
            (Lines{"11100000", "11100000", "11100000", "11110000", "11111000", "00000100", "00000110",
                   "00000111"}));
}

TEST(Mask, PrefixesCountFromTheDocumentsFirstToken) {
  const std::vector<std::uint32_t> prefixes{4};
  EXPECT_EQ(lines_of(window_of(4, {{0, 2, 4}}), {.prefix_lengths = prefixes}),
            (Lines{"1100", "1100", "1110", "1111"}));
  EXPECT_EQ(lines_of(window_of(3, {{0, 4, 3}}), {.prefix_lengths = prefixes}), (Lines{"100", "110", "111"}));
}

TEST(Mask, AdditiveIsZeroOrMinusInfinity) {
  const Result<std::vector<float>> mask = additive_mask(window_of(2, {{0, 0, 2}}), 0);
  ASSERT_TRUE(mask);
  const float masked = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(*mask, (std::vector<float>{0, masked, 0, 0}));
}

TEST(Mask, RefusesADenseMaskThatIsTooLarge) {
  const Plan plan = window_of(131'072, {{0, 0, 5}});
  const Result<std::vector<std::uint8_t>> mask = boolean_mask(plan, 0);
  ASSERT_FALSE(mask);
  EXPECT_EQ(mask.error().code, ErrorCode::too_large);
  for (const char* form : {"key intervals", "block lists", "attends()", "cu_seqlens"}) {
    EXPECT_NE(mask.error().message.find(form), std::string::npos) << form;
  }
  EXPECT_TRUE(key_intervals(plan, 0));
  EXPECT_TRUE(block_mask(plan, {0, 1}));
}

TEST(Mask, LimitsBytesNotCells) {
  const Plan plan = window_of(32'768, {{0, 0, 5}});
  EXPECT_EQ(additive_mask(plan, 0).error().code, ErrorCode::too_large);
  EXPECT_EQ(additive_mask_bf16(plan, 0).error().code, ErrorCode::too_large);
  EXPECT_TRUE(packed_mask(plan, 0));
}

TEST(Mask, LimitsAllWindowsTogether) {
  Plan plan = window_of(16'384, {});
  plan.window_offsets.resize(101, plan.segments.size());
  EXPECT_EQ(packed_mask(plan, WindowRange{0, 100}).error().code, ErrorCode::too_large);
  EXPECT_TRUE(packed_mask(plan, WindowRange{0, 1}));
}

TEST(Mask, RefusesBadArguments) {
  const Plan plan = window_of(4, {{1, 0, 3}});
  const std::vector<std::uint32_t> one_prefix{1};
  EXPECT_EQ(boolean_mask(plan, 1).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(boolean_mask(plan, UINT64_MAX).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(boolean_mask(plan, WindowRange{1, 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(boolean_mask(plan, 0, {.sliding_window = 0}).error().code, ErrorCode::invalid_option);
  EXPECT_EQ(boolean_mask(plan, 0, {.prefix_lengths = one_prefix}).error().code, ErrorCode::length_mismatch);
}

TEST(Mask, RefusesIntervalsWhereAQueryHasSeveral) {
  Plan plan = window_of(8, {{0, 0, 3}, {1, 0, 2}});
  plan.options.document_multiple = 4;
  EXPECT_FALSE(key_intervals(plan, 0, {.document_mask = false}));
}

void expect_forms_follow_the_rule(const MaskExample& example, std::uint64_t w) {
  const Plan& plan = example.example.plan;
  const MaskOptions& options = example.options;
  const std::uint32_t length = plan.options.context_length;
  const std::uint32_t row_bytes = packed_mask_row_bytes(length);
  const auto boolean = boolean_mask(plan, w, options);
  const auto packed = packed_mask(plan, w, options);
  const auto f32 = additive_mask(plan, w, options);
  const auto f16 = additive_mask_f16(plan, w, options);
  const auto bf16 = additive_mask_bf16(plan, w, options);
  const auto intervals = key_intervals(plan, w, options);
  ASSERT_TRUE(boolean && packed && f32 && f16 && bf16) << boolean.error().message;
  ASSERT_EQ(intervals.has_value(), options.document_mask || plan.options.document_multiple == 1);
  const auto expected = example.mask(w);
  for (std::uint32_t q = 0; q < length; ++q) {
    for (std::uint32_t k = 0; k < length; ++k) {
      SCOPED_TRACE("query " + std::to_string(q) + ", key " + std::to_string(k));
      const bool allowed = expected[q][k];
      const std::size_t cell = std::size_t{q} * length + k;
      ASSERT_EQ(attends(plan, w, q, k, options), allowed);
      ASSERT_EQ((*boolean)[cell], allowed ? 1 : 0);
      ASSERT_EQ((*packed)[std::size_t{q} * row_bytes + k / 8] >> k % 8 & 1, allowed ? 1 : 0);
      ASSERT_EQ((*f32)[cell], allowed ? 0.0f : -std::numeric_limits<float>::infinity());
      ASSERT_EQ((*f16)[cell], allowed ? 0 : 0xfc00);
      ASSERT_EQ((*bf16)[cell], allowed ? 0 : 0xff80);
      if (!intervals) continue;
      ASSERT_EQ((*intervals)[q].begin <= k && k < (*intervals)[q].end, allowed);
    }
  }
}

TEST(Mask, EveryFormFollowsTheRuleInEveryCell) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 250 && !testing::Test::HasFailure(); ++round) {
    const MaskExample example(random);
    SCOPED_TRACE(example.example.description);
    for (std::uint64_t w = 0; w < example.example.plan.window_count(); ++w) {
      expect_forms_follow_the_rule(example, w);
    }
  }
}

template <class Form>
void expect_a_range_concatenates(const MaskExample& example, Form form) {
  const Plan& plan = example.example.plan;
  const auto together = form(plan, WindowRange{0, plan.window_count()}, example.options);
  ASSERT_TRUE(together);
  auto apart = *together;
  apart.clear();
  for (std::uint64_t w = 0; w < plan.window_count(); ++w) {
    const auto one = form(plan, w, example.options);
    ASSERT_TRUE(one);
    apart.insert(apart.end(), one->begin(), one->end());
  }
  EXPECT_EQ(*together, apart);
}

TEST(Mask, ARangeOfWindowsIsTheirMasksOneAfterAnother) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 50; ++round) {
    const MaskExample example(random);
    SCOPED_TRACE(example.example.description);
    expect_a_range_concatenates(example, [](auto&&... args) { return boolean_mask(args...); });
    expect_a_range_concatenates(example, [](auto&&... args) { return packed_mask(args...); });
    expect_a_range_concatenates(example, [](auto&&... args) { return additive_mask(args...); });
    expect_a_range_concatenates(example, [](auto&&... args) { return additive_mask_f16(args...); });
    expect_a_range_concatenates(example, [](auto&&... args) { return additive_mask_bf16(args...); });
  }
}

TEST(Mask, HasTheShapeThatAttentionTakes) {
  Plan plan = window_of(10, {{0, 0, 4}});
  plan.window_offsets.push_back(1);
  const std::array<std::uint64_t, 4> shape{2, 1, 10, 10};
  EXPECT_EQ(dense_mask_shape(plan, {0, 2}), shape);
  EXPECT_EQ(boolean_mask(plan, WindowRange{0, 2})->size(), 2u * 10 * 10);
  EXPECT_EQ(packed_mask(plan, WindowRange{0, 2})->size(), 2u * 10 * 2);
  EXPECT_TRUE(boolean_mask(plan, WindowRange{1, 1})->empty());
}

TEST(Mask, PacksTheFirstKeyInTheLowestBit) {
  EXPECT_EQ(*packed_mask(window_of(10, {{0, 0, 10}}), 0),
            (std::vector<std::uint8_t>{0x01, 0, 0x03, 0,    0x07, 0,   0x0f, 0, 0x1f, 0, 0x3f, 0, 0x7f, 0,  //
                                       0xff, 0, 0xff, 0x01, 0xff, 0x03}));
}

TEST(Mask, IntervalsBeginWithTheSegment) {
  EXPECT_EQ(*key_intervals(window_of(5, {{0, 0, 2}, {1, 0, 2}}), 0),
            (std::vector<KeyInterval>{{0, 1}, {0, 2}, {2, 3}, {2, 4}, {4, 5}}));
}

TEST(MaskOptions, AreSetAndWrittenByName) {
  MaskOptions options;
  for (const auto& [name, value] :
       {std::pair{"mask", "bidirectional"}, std::pair{"document_mask", "false"},
        std::pair{"sliding_window", "7"}, std::pair{"padding_queries", "masked"}}) {
    EXPECT_TRUE(set_mask_option(options, name, value)) << name;
    EXPECT_EQ(get_mask_option(options, name), value);
  }
  EXPECT_EQ(mask_option_table().size(), 4u);
  EXPECT_EQ(options.mask, Mask::bidirectional);
  EXPECT_FALSE(options.document_mask);
  EXPECT_EQ(options.sliding_window, 7u);
  EXPECT_EQ(options.padding_queries, PaddingQueries::masked);
}

TEST(MaskOptions, TakeBackWhatTheyWrite) {
  for (const OptionInfo& info : mask_option_table()) {
    MaskOptions options;
    EXPECT_TRUE(set_mask_option(options, info.name, get_mask_option({}, info.name))) << info.name;
    EXPECT_FALSE(set_option(*std::make_unique<Options>(), info.name, "1"))
        << info.name << " is in both tables";
  }
}

TEST(MaskOptions, RefuseWhatTheyDoNotKnow) {
  MaskOptions options;
  EXPECT_EQ(set_mask_option(options, "sliding_windows", "3").error().message,
            "there is no option 'sliding_windows'");
  EXPECT_NE(set_mask_option(options, "mask", "both").error().message.find("causal|bidirectional"),
            std::string::npos);
  EXPECT_FALSE(set_mask_option(options, "sliding_window", "12x"));
  EXPECT_EQ(options.sliding_window, std::nullopt);
  EXPECT_TRUE(check_mask_options(options));
  EXPECT_FALSE(check_mask_options({.sliding_window = 0}));
}

TEST(IntraDocumentMask, FollowsTheTextbookOnAnyIds) {
  const std::vector<std::int32_t> ids{3, -1, 3, 0, -1, 3, 0};
  const Result<std::vector<float>> mask = build_intra_document_mask(ids);
  ASSERT_TRUE(mask);
  const std::size_t n = ids.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool allowed = j <= i && ids[j] == ids[i] && ids[i] != -1;
      EXPECT_EQ((*mask)[i * n + j], allowed ? 0.0f : -std::numeric_limits<float>::infinity());
    }
  }
}

TEST(IntraDocumentMask, IsEmptyForNoIds) { EXPECT_TRUE(build_intra_document_mask({})->empty()); }

TEST(IntraDocumentMask, RefusesMoreCellsThanTheLimit) {
  const std::vector<std::int32_t> ids(32'769);
  EXPECT_EQ(build_intra_document_mask(ids).error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace packscope
