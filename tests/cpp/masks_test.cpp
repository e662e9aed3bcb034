// SPDX-License-Identifier: MIT
// Masks: hand-worked ones, then every cell of random windows against the rule restated literally.
#include "packscope/masks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/batch_oracle.hpp"

namespace packscope {
namespace {

using packscope_oracle::Cell;
using packscope_oracle::Example;
using Lines = std::vector<std::string>;

Plan window_of(std::uint32_t context_length, const std::vector<Segment>& segments) {
  Plan plan;
  plan.options.context_length = context_length;
  plan.segments.assign(segments.begin(), segments.end());
  plan.window_offsets.push_back(plan.segments.size());
  return plan;
}

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
  EXPECT_NE(mask.error().message.find("cu_seqlens"), std::string::npos);
  EXPECT_TRUE(key_intervals(plan, 0));
}

TEST(Mask, RefusesBadArguments) {
  const Plan plan = window_of(4, {{1, 0, 3}});
  const std::vector<std::uint32_t> one_prefix{1};
  EXPECT_EQ(boolean_mask(plan, 1).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(boolean_mask(plan, 0, {.sliding_window = 0}).error().code, ErrorCode::invalid_option);
  EXPECT_EQ(boolean_mask(plan, 0, {.prefix_lengths = one_prefix}).error().code, ErrorCode::length_mismatch);
}

TEST(Mask, RefusesIntervalsWhereAQueryHasSeveral) {
  Plan plan = window_of(8, {{0, 0, 3}, {1, 0, 2}});
  plan.options.document_multiple = 4;
  EXPECT_FALSE(key_intervals(plan, 0, {.document_mask = false}));
}

// The rule of the documentation, word by word, on what stands at two positions.
bool may_attend(const std::vector<Cell>& window, std::uint32_t q, std::uint32_t k, const Plan& plan,
                const MaskOptions& options) {
  const Cell& query = window[q];
  const Cell& key = window[k];
  if (!query.real()) return options.padding_queries == PaddingQueries::self && q == k;
  if (!key.real()) return false;
  const bool same = query.segment == key.segment;
  if (options.document_mask && !same) return false;
  const std::uint32_t distance = q > k ? q - k : k - q;
  if (options.sliding_window && distance >= *options.sliding_window) return false;
  if (k <= q || options.mask == Mask::bidirectional) return true;
  if (!same || options.prefix_lengths.empty()) return false;
  const std::uint32_t prefix = options.prefix_lengths[key.document];
  const std::uint32_t offset = key.segment_offset + key.in_segment;
  return prefix > 0 && offset < prefix + (plan.options.bos_id ? 1 : 0);
}

MaskOptions random_mask_options(std::mt19937_64& random, const std::vector<std::uint32_t>& prefixes) {
  MaskOptions options;
  if (random() % 2 == 0) options.mask = Mask::bidirectional;
  options.document_mask = random() % 2 == 0;
  if (random() % 2 == 0) options.sliding_window = 1 + static_cast<std::uint32_t>(random() % 12);
  if (random() % 2 == 0) options.prefix_lengths = prefixes;
  if (random() % 2 == 0) options.padding_queries = PaddingQueries::masked;
  return options;
}

void expect_forms_follow_the_rule(const Example& example, std::uint64_t w, const MaskOptions& options) {
  const Plan& plan = example.plan;
  const std::uint32_t length = plan.options.context_length;
  const std::vector<Cell> window = packscope_oracle::cells(plan, example.corpus.view(), w);
  const Result<std::vector<std::uint8_t>> boolean = boolean_mask(plan, w, options);
  const Result<std::vector<float>> additive = additive_mask(plan, w, options);
  const Result<std::vector<KeyInterval>> intervals = key_intervals(plan, w, options);
  ASSERT_TRUE(boolean && additive) << boolean.error().message;
  ASSERT_EQ(intervals.has_value(), options.document_mask || plan.options.document_multiple == 1);
  for (std::uint32_t q = 0; q < length; ++q) {
    for (std::uint32_t k = 0; k < length; ++k) {
      const bool allowed = may_attend(window, q, k, plan, options);
      const std::size_t cell = std::size_t{q} * length + k;
      ASSERT_EQ(attends(plan, w, q, k, options), allowed) << "query " << q << ", key " << k;
      ASSERT_EQ((*boolean)[cell], allowed ? 1 : 0) << "query " << q << ", key " << k;
      ASSERT_EQ(std::isinf((*additive)[cell]), !allowed) << "query " << q << ", key " << k;
      if (!intervals) continue;
      ASSERT_EQ((*intervals)[q].begin <= k && k < (*intervals)[q].end, allowed)
          << "query " << q << ", key " << k;
    }
  }
}

TEST(Mask, EveryFormFollowsTheRuleInEveryCell) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 250 && !testing::Test::HasFailure(); ++round) {
    const Example example = packscope_oracle::random_example(random);
    std::vector<std::uint32_t> prefixes(example.corpus.offsets.size() - 1);
    for (std::uint32_t& prefix : prefixes) prefix = static_cast<std::uint32_t>(random() % 12);
    const MaskOptions options = random_mask_options(random, prefixes);
    SCOPED_TRACE(example.description);
    for (std::uint64_t w = 0; w < example.plan.window_count(); ++w) {
      expect_forms_follow_the_rule(example, w, options);
    }
  }
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
