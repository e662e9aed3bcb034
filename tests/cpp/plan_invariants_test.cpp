// SPDX-License-Identifier: MIT
// validate() must find every kind of damage to a good plan and say where it is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "packscope/pack.hpp"
#include "packscope/validate.hpp"

namespace packscope_tests {
namespace {

using packscope::Documents;
using packscope::Ledger;
using packscope::Options;
using packscope::Plan;

const std::vector<std::uint32_t> kLengths = {4, 0, 2, 5, 1, 7};
const std::vector<std::uint32_t> kSources = {0, 0, 0, 1, 1, 0};
const std::vector<std::string> kSourceNames = {"books", "code"};

Documents documents() { return {kLengths, kSources, kSourceNames, {}}; }

// Windows [0 2][3 4][5][5] and two fillers; windows of 6.
Options good_options() {
  Options options;
  options.context_length = 6;
  options.algorithm = packscope::Algorithm::next_fit;
  options.long_documents = packscope::LongDocuments::split;
  options.window_multiple = 3;
  return options;
}

Plan good_plan(const Options& options) {
  auto plan = packscope::pack(documents(), options);
  EXPECT_TRUE(plan.has_value());
  return plan ? std::move(plan).value() : Plan();
}

struct Damage {
  const char* name;
  void (*change)(Plan&);
  std::vector<std::string> names;  // words that the message must have
};

class DamagedPlan : public testing::TestWithParam<Damage> {};

TEST_P(DamagedPlan, IsFoundAndNamed) {
  Plan plan = good_plan(good_options());
  ASSERT_TRUE(packscope::validate(plan, documents()).has_value());

  GetParam().change(plan);
  const auto status = packscope::validate(plan, documents());

  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, packscope::ErrorCode::invalid_plan);
  for (const std::string& word : GetParam().names) {
    EXPECT_NE(status.error().message.find(word), std::string::npos)
        << "should name " << word << ": " << status.error().message;
  }
}

const Damage kDamages[] = {
    {"WindowOverflows", [](Plan& plan) { plan.window_offsets[1] = 3; }, {"window 0", "11", "6"}},
    {"TokenIsLost", [](Plan& plan) { --plan.segments[0].length; }, {"document 0"}},
    {"TokenStandsTwice", [](Plan& plan) { plan.segments[5].document_offset = 5; }, {"document 5"}},
    {"DocumentStandsTwice",
     [](Plan& plan) {
       plan.segments[3] = {2, 0, 1};
     },
     {"document 2"}},
    {"EmptyDocumentIsPlaced", [](Plan& plan) { plan.segments[3].document = 1; }, {"document 1"}},
    {"SegmentBeyondItsDocument", [](Plan& plan) { plan.segments[3].document_offset = 1; }, {"document 4"}},
    {"NoSuchDocument", [](Plan& plan) { plan.segments[0].document = 99; }, {"window 0", "99"}},
    {"SegmentWithoutTokens", [](Plan& plan) { plan.segments[3].length = 0; }, {"window 1", "document 4"}},
    {"OffsetsDescend",
     [](Plan& plan) { std::swap(plan.window_offsets[1], plan.window_offsets[2]); },
     {"window 1"}},
    {"OffsetsDoNotStartAtZero", [](Plan& plan) { plan.window_offsets[0] = 1; }, {"0"}},
    {"OffsetsEndEarly", [](Plan& plan) { plan.window_offsets = {0, 2, 4, 5, 5, 5, 5}; }, {"6"}},
    {"OffsetsEndBeyondTheSegments", [](Plan& plan) { plan.window_offsets.back() = 7; }, {"7", "6"}},
    {"NoOffsets", [](Plan& plan) { plan.window_offsets.clear(); }, {}},
    {"FillerInTheMiddle", [](Plan& plan) { plan.window_offsets = {0, 2, 2, 4, 5, 6, 6}; }, {"window 1"}},
    {"TooManyDocuments",
     [](Plan& plan) { plan.options.max_documents_per_window = 1; },
     {"window 0", "2", "1"}},
    {"GapsOverflow", [](Plan& plan) { plan.options.document_multiple = 3; }, {"window 0", "9", "6"}},
    {"SourcesAreMixed",
     [](Plan& plan) {
       std::swap(plan.segments[1], plan.segments[3]);
       plan.options.homogeneity = packscope::Homogeneity::full;
     },
     {"window 0"}},
};

INSTANTIATE_TEST_SUITE_P(Damages, DamagedPlan, testing::ValuesIn(kDamages),
                         [](const auto& test) { return std::string(test.param.name); });

struct Count {
  const char* name;
  const char* word;  // that the message must have
  std::uint64_t Ledger::*member;
};

class WrongCount : public testing::TestWithParam<Count> {};

TEST_P(WrongCount, InTheLedgerIsFoundAndNamed) {
  Plan plan = good_plan(good_options());
  plan.ledger.*GetParam().member += 1;
  const auto status = packscope::validate(plan, documents());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, packscope::ErrorCode::invalid_plan);
  EXPECT_NE(status.error().message.find(GetParam().word), std::string::npos) << status.error().message;
}

TEST_P(WrongCount, OfASourceIsFoundAndNamed) {
  Plan plan = good_plan(good_options());
  plan.ledger_by_source[1].*GetParam().member += 1;
  const auto status = packscope::validate(plan, documents());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, packscope::ErrorCode::invalid_plan);
  EXPECT_NE(status.error().message.find("code"), std::string::npos) << status.error().message;
}

const Count kCounts[] = {
    {"documents", "documents", &Ledger::documents},
    {"tokens", "tokens", &Ledger::tokens},
    {"empty_documents", "empty_documents", &Ledger::empty_documents},
    {"dropped_documents", "dropped_documents", &Ledger::dropped_documents},
    {"truncated_documents", "truncated_documents", &Ledger::truncated_documents},
    {"split_documents", "split_documents", &Ledger::split_documents},
    {"duplicate_documents", "duplicate_documents", &Ledger::duplicate_documents},
    {"tokens_dropped", "tokens_dropped", &Ledger::tokens_dropped},
    {"separators_added", "separators_added", &Ledger::separators_added},
    {"filler_windows", "filler", &Ledger::filler_windows},
};

INSTANTIATE_TEST_SUITE_P(Counts, WrongCount, testing::ValuesIn(kCounts),
                         [](const auto& test) { return std::string(test.param.name); });

// Rounded up to document_multiple, the segment would take 2^32 positions: 0 in 32 bits.
TEST(DamagedSegments, OfAnyLengthAreFound) {
  const std::vector<std::uint32_t> lengths = {4294967280};
  Plan plan;
  plan.options.context_length = 128;
  plan.options.document_multiple = 128;
  plan.options.long_documents = packscope::LongDocuments::split;
  plan.segments = {{0, 0, 4294967280}};
  plan.window_offsets = {0, 1};
  plan.ledger.documents = 1;
  plan.ledger.tokens = 4294967280;
  plan.ledger_by_source = {plan.ledger};

  const auto status = packscope::validate(plan, {lengths, {}, {}, {}});

  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().message.find("longer than the window"), std::string::npos)
      << status.error().message;
}

TEST(DamagedSeparators, AreFound) {
  Options options = good_options();
  options.separator_id = 9;
  Plan plan = good_plan(options);
  ASSERT_TRUE(packscope::validate(plan, documents()).has_value());
  --plan.segments[0].length;  // its separator
  const auto status = packscope::validate(plan, documents());
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().message.find("document 0"), std::string::npos) << status.error().message;
}

TEST(DamagedSeparators, BetweenDocumentsDoNotEndAWindow) {
  Options options = good_options();
  options.context_length = 8;
  options.separator_id = 9;
  options.separator = packscope::Separator::between;
  Plan plan = good_plan(options);  // windows [0 2][3 4][5], the last of 7 tokens
  ASSERT_TRUE(packscope::validate(plan, documents()).has_value());
  ++plan.segments[4].length;
  ++plan.ledger.separators_added;
  ++plan.ledger_by_source[0].separators_added;
  const auto status = packscope::validate(plan, documents());
  ASSERT_FALSE(status.has_value()) << "window 2 ends with a separator that should not be written";
  EXPECT_NE(status.error().message.find("window 2"), std::string::npos) << status.error().message;
}

TEST(DocumentFates, AreThoseOfTheDocumentsGiven) {
  const Plan plan = good_plan(good_options());
  const auto all = packscope::document_fates(plan, documents());
  ASSERT_EQ(all.size(), 2U);  // document 1 is empty, document 5 split
  Documents fewer = documents();
  fewer.lengths = fewer.lengths.first(2);
  const auto some = packscope::document_fates(plan, fewer);
  ASSERT_EQ(some.size(), 1U);
  EXPECT_EQ(some[0].document, 1U);
}

}  // namespace
}  // namespace packscope_tests
