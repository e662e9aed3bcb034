// SPDX-License-Identifier: MIT
// The sample of a histogram keeps its proportions and depends on the seed alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "packscope/histogram.hpp"

namespace packscope {
namespace {

const std::vector<LengthCount> kHistogram{{10, 3'000'000'000}, {20, 0}, {30, 1'000'000'000}};

TEST(HistogramSample, KeepsProportions) {
  const std::vector<std::uint32_t> lengths = draw_lengths(kHistogram, 1000, 1);
  EXPECT_EQ(lengths.size(), 1000u);
  EXPECT_EQ(std::count(lengths.begin(), lengths.end(), 10u), 750);
  EXPECT_EQ(std::count(lengths.begin(), lengths.end(), 30u), 250);
}

TEST(HistogramSample, IsEveryDocumentWhereThereAreFew) {
  std::vector<std::uint32_t> lengths = draw_lengths(std::vector<LengthCount>{{1, 2}, {5, 1}}, 100, 7);
  std::sort(lengths.begin(), lengths.end());
  EXPECT_EQ(lengths, (std::vector<std::uint32_t>{1, 1, 5}));
}

TEST(HistogramSample, DependsOnTheSeed) {
  EXPECT_EQ(draw_lengths(kHistogram, 100, 1), draw_lengths(kHistogram, 100, 1));
  EXPECT_NE(draw_lengths(kHistogram, 100, 1), draw_lengths(kHistogram, 100, 2));
}

}  // namespace
}  // namespace packscope
