// SPDX-License-Identifier: MIT
// Planning on a histogram must give what planning its documents one by one gives, and the results known
// for published histograms.
#include "packscope/histogram.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "cpp/random_case.hpp"
#include "packscope/algorithms.hpp"
#include "packscope/pack.hpp"

namespace packscope_tests {
namespace {

using packscope::Algorithm;
using packscope::Ledger;
using packscope::LengthCount;
using packscope::Options;

std::vector<LengthCount> histogram_of(const std::vector<std::uint32_t>& lengths) {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const std::uint32_t length : lengths) ++counts[length];
  std::vector<LengthCount> histogram;
  for (const auto& [length, documents] : counts) histogram.push_back({length, documents});
  return histogram;
}

// Only the options that a histogram can answer for: no sources, no order.
RandomCase without_order(RandomCase given) {
  given.options.flush_every.reset();
  given.options.shuffle_documents = false;
  given.options.shuffle_windows = false;
  given.options.drop_duplicates = false;
  given.options.homogeneity = packscope::Homogeneity::none;
  given.options.groups.clear();
  given.sources.clear();
  given.source_names.clear();
  given.duplicates.clear();
  std::sort(given.lengths.begin(), given.lengths.end());
  return given;
}

void expect_equal(const packscope::Stats& made, const packscope::Stats& wanted) {
  EXPECT_EQ(made.windows, wanted.windows);
  EXPECT_EQ(made.filler_windows, wanted.filler_windows);
  EXPECT_EQ(made.segments, wanted.segments);
  EXPECT_EQ(made.real_tokens, wanted.real_tokens);
  EXPECT_EQ(made.padding_tokens, wanted.padding_tokens);
  EXPECT_EQ(made.lower_bound, wanted.lower_bound);
  EXPECT_EQ(made.sum_squared_lengths, wanted.sum_squared_lengths);
  EXPECT_EQ(made.attention_pairs, wanted.attention_pairs);
  EXPECT_EQ(made.causal_pairs, wanted.causal_pairs);
  EXPECT_EQ(made.real_token_share(), wanted.real_token_share());
  EXPECT_EQ(made.documents_per_window.min, wanted.documents_per_window.min);
  EXPECT_EQ(made.documents_per_window.p50, wanted.documents_per_window.p50);
  EXPECT_EQ(made.documents_per_window.p95, wanted.documents_per_window.p95);
  EXPECT_EQ(made.documents_per_window.max, wanted.documents_per_window.max);
  EXPECT_EQ(made.documents_per_window.mean, wanted.documents_per_window.mean);
}

// What wrap leaves at 0, because it depends on the order of the documents.
void leave_out_order(Ledger& ledger, packscope::Stats& stats) {
  ledger.split_documents = 0;
  stats.segments = 0;
  stats.sum_squared_lengths = 0;
  stats.attention_pairs = 0;
  stats.documents_per_window = {};
}

void expect_refused(const Options& options) {
  const auto refused = packscope::pack_histogram(std::vector<LengthCount>{{1, 1}}, options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, packscope::ErrorCode::invalid_argument);
}

class Histogram : public testing::TestWithParam<Algorithm> {};

TEST_P(Histogram, EqualsItsDocuments) {
  constexpr std::uint64_t kSeed = 505;
  CaseMaker maker(kSeed);
  for (std::uint32_t context_length = 1; context_length <= 200; ++context_length) {
    const RandomCase given = without_order(maker.make(GetParam(), context_length));
    if (!packscope::exact_from_histogram(given.options)) {
      expect_refused(given.options);
      continue;
    }
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ": " + describe(given));
    const auto plan = packscope::pack(given.documents(), given.options);
    const auto made = packscope::pack_histogram(histogram_of(given.lengths), given.options);
    ASSERT_EQ(made.has_value(), plan.has_value());
    if (!made) {
      EXPECT_EQ(made.error().code, plan.error().code);
      continue;
    }
    auto wanted = packscope::stats(*plan, given.documents());
    ASSERT_TRUE(wanted.has_value());
    Ledger ledger = plan->ledger;
    if (GetParam() == Algorithm::wrap) leave_out_order(ledger, *wanted);
    EXPECT_EQ(made->ledger, ledger);
    expect_equal(made->stats, *wanted);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(HistogramInput, IsEnoughForTheAlgorithmsThatDoNotDependOnOrder) {
  std::vector<Algorithm> exact;
  for (const packscope::AlgorithmInfo& row : packscope::algorithms()) {
    Options options;
    options.algorithm = row.algorithm;
    if (packscope::exact_from_histogram(options)) exact.push_back(row.algorithm);
  }
  EXPECT_EQ(exact, (std::vector<Algorithm>{Algorithm::pad, Algorithm::wrap, Algorithm::first_fit_decreasing,
                                           Algorithm::best_fit_decreasing}));
}

TEST(HistogramInput, MayRepeatLengthsInAnyOrder) {
  Options options;
  options.context_length = 10;
  const auto once = packscope::pack_histogram(std::vector<LengthCount>{{3, 5}, {7, 2}}, options);
  const auto repeated =
      packscope::pack_histogram(std::vector<LengthCount>{{7, 2}, {3, 1}, {9, 0}, {3, 4}}, options);
  ASSERT_TRUE(once.has_value() && repeated.has_value());
  EXPECT_EQ(once->stats.windows, 3u);  // [7 3][7 3][3 3 3]
  EXPECT_EQ(repeated->ledger, once->ledger);
  expect_equal(repeated->stats, once->stats);
}

std::vector<LengthCount> read_shared_histogram(const std::string& name) {
  const char* shared = std::getenv("PACKSCOPE_SHARED");
  const std::string folder = shared != nullptr ? shared : PACKSCOPE_TESTS_DIR "/../../shared";
  std::ifstream file(folder + "/data/" + name);
  std::vector<LengthCount> histogram;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t tab = line.find('\t');
    histogram.push_back({static_cast<std::uint32_t>(std::stoul(line.substr(0, tab))),
                         static_cast<std::uint64_t>(std::stoull(line.substr(tab + 1)))});
  }
  return histogram;
}

struct KnownResult {
  const char* file;
  std::uint32_t context_length;
  std::uint64_t documents;
  std::uint64_t least_bound;
  std::uint64_t windows;
};

class PublishedHistogram : public testing::TestWithParam<KnownResult> {};

TEST_P(PublishedHistogram, GivesTheKnownResult) {
  const KnownResult& known = GetParam();
  const std::vector<LengthCount> histogram = read_shared_histogram(known.file);
  if (histogram.empty()) GTEST_SKIP() << known.file << " is not here; set PACKSCOPE_SHARED to its folder";
  Options options;
  options.context_length = known.context_length;
  options.algorithm = Algorithm::best_fit_decreasing;

  const auto plan = packscope::pack_histogram(histogram, options);

  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->ledger.documents, known.documents);
  EXPECT_EQ(plan->stats.windows, known.windows);
  EXPECT_GE(plan->stats.lower_bound, known.least_bound);
  EXPECT_LE(plan->stats.lower_bound, known.windows);
}

const KnownResult kKnownResults[] = {
    {"squad_384.hist.tsv", 384, 88'641, 1, 40'631},
    {"wikipedia_512.hist.tsv", 512, 16'279'552, 8'134'368, 8'138'483},
};

INSTANTIATE_TEST_SUITE_P(BestFitDecreasing, PublishedHistogram, testing::ValuesIn(kKnownResults),
                         [](const auto& test) {
                           return "Window" + std::to_string(test.param.context_length);
                         });

std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all;
  for (const packscope::AlgorithmInfo& row : packscope::algorithms()) all.push_back(row.algorithm);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, Histogram, testing::ValuesIn(all_algorithms()), [](const auto& test) {
  return std::string(packscope::algorithm_info(test.param).name);
});

TEST(EstimateHistogram, ScalesUpAPlanOfDrawnDocuments) {
  const std::vector<LengthCount> histogram{{3, 3000}, {5, 1000}};
  Options options;
  options.context_length = 8;
  options.algorithm = Algorithm::next_fit;
  const std::vector<std::uint32_t> drawn = packscope::draw_lengths(histogram, 400, 1);
  const auto estimate = packscope::estimate_histogram(histogram, drawn, options);
  ASSERT_TRUE(estimate) << estimate.error().message;
  EXPECT_EQ(estimate->ledger.documents, 4000u);
  EXPECT_EQ(estimate->ledger.tokens, 14000u);
  options.algorithm = Algorithm::best_fit_decreasing;
  EXPECT_EQ(estimate->stats.lower_bound, packscope::pack_histogram(histogram, options)->stats.lower_bound);
}

TEST(EstimateHistogram, OfNothingIsNothing) {
  const auto estimate = packscope::estimate_histogram({}, {}, {});
  ASSERT_TRUE(estimate);
  EXPECT_EQ(estimate->stats.windows, 0u);
}

}  // namespace
}  // namespace packscope_tests
