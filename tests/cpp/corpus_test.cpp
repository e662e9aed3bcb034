// SPDX-License-Identifier: MIT
// check_corpus names what is wrong; find_duplicates is exact and linear.
#include "packscope/corpus.hpp"

#include <gtest/gtest.h>

namespace packscope {
namespace {

// Two documents of 3 and 2 tokens with everything a corpus can carry.
struct CorpusTest : testing::Test {
  std::vector<std::int32_t> tokens{1, 2, 3, 4, 5};
  std::vector<std::uint64_t> offsets{0, 3, 5};
  std::vector<std::uint8_t> loss_mask{0, 1, 1, 0, 1};
  std::vector<std::uint32_t> prompt_lengths{1, 2};
  std::vector<std::int32_t> values{9, 9, 9, 9, 9};
  std::vector<FieldView> fields{
      {"reward", DType::int32, std::as_bytes(std::span<const std::int32_t>(values))}};
  std::vector<std::uint32_t> sources{0, 1};
  std::vector<std::string> names{"web", "code"};
  Options options;

  Status check() {
    return check_corpus({tokens, offsets, loss_mask, prompt_lengths, fields, sources, names}, options);
  }

  void expect_error(ErrorCode code, std::uint64_t document, const std::string& part) {
    const Status status = check();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, code);
    EXPECT_EQ(status.error().document, document);
    EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
  }
};

TEST_F(CorpusTest, AcceptsACompleteCorpus) { EXPECT_TRUE(check()); }

TEST_F(CorpusTest, AcceptsLengthsAlone) {
  Corpus corpus;
  corpus.document_offsets = offsets;
  EXPECT_TRUE(check_corpus(corpus, options));
  EXPECT_EQ(document_lengths(corpus), (std::vector<std::uint32_t>{3, 2}));
}

TEST_F(CorpusTest, AcceptsNothing) { EXPECT_TRUE(check_corpus({}, options)); }

TEST_F(CorpusTest, RefusesANegativeId) {
  tokens[4] = -1;
  expect_error(ErrorCode::token_out_of_range, 1, "token 1: id -1");
}

TEST_F(CorpusTest, RefusesAnIdOutsideTheVocabulary) {
  options.vocab_size = 5;
  expect_error(ErrorCode::token_out_of_range, 1, "vocab_size 5");
  options.vocab_size = 6;
  EXPECT_TRUE(check());
}

TEST_F(CorpusTest, NamesTheDocumentAfterAnEmptyOne) {
  offsets = {0, 0, 5};
  prompt_lengths = {0, 2};
  tokens[0] = -7;
  expect_error(ErrorCode::token_out_of_range, 1, "document 1, token 0");
}

TEST_F(CorpusTest, RefusesOffsetsThatDoNotBeginAtZero) {
  offsets[0] = 1;
  expect_error(ErrorCode::invalid_argument, kNoDocument, "begins with 1");
}

TEST_F(CorpusTest, RefusesDescendingOffsets) {
  offsets = {0, 6, 5};
  expect_error(ErrorCode::invalid_argument, 1, "must ascend");
}

TEST_F(CorpusTest, RefusesADocumentOfFourBillionTokens) {
  const std::vector<std::uint64_t> long_offsets{0, 1, std::uint64_t{1} << 32};
  Corpus corpus;
  corpus.document_offsets = long_offsets;
  const Status status = check_corpus(corpus, options);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::too_large);
  EXPECT_EQ(status.error().document, 1u);
}

TEST_F(CorpusTest, RefusesArraysOfAnotherLength) {
  const auto refused = [&](auto& array) {
    array.pop_back();
    const Status status = check();
    return !status && status.error().code == ErrorCode::length_mismatch;
  };
  EXPECT_TRUE(refused(sources));
  EXPECT_TRUE(refused(prompt_lengths));
  EXPECT_TRUE(refused(loss_mask));
  EXPECT_TRUE(refused(tokens));
}

TEST_F(CorpusTest, RefusesAFieldOfAnotherLength) {
  fields[0].dtype = DType::int64;
  expect_error(ErrorCode::length_mismatch, kNoDocument, "field reward has 20 bytes");
}

TEST_F(CorpusTest, RefusesAMaskThatIsNeitherZeroNorOne) {
  loss_mask[3] = 2;
  expect_error(ErrorCode::invalid_argument, 1, "loss_mask is 2");
}

TEST_F(CorpusTest, RefusesAPromptBeyondItsDocument) {
  prompt_lengths[1] = 3;
  expect_error(ErrorCode::invalid_argument, 1, "prompt length 3 exceeds its 2 tokens");
}

TEST_F(CorpusTest, RefusesASourceWithoutAName) {
  sources[1] = 2;
  expect_error(ErrorCode::unknown_source, 1, "source 2");
  names.clear();
  sources = {0, 0};
  EXPECT_TRUE(check());
}

TEST_F(CorpusTest, ChecksIdsOfAByte) {
  const std::vector<std::uint8_t> bytes{0, 1, 127, 128, 255};
  Corpus corpus;
  corpus.tokens = bytes;
  corpus.document_offsets = offsets;
  EXPECT_TRUE(check_corpus(corpus, options));
  options.vocab_size = 256;
  EXPECT_TRUE(check_corpus(corpus, options));
  options.vocab_size = 255;
  const Status status = check_corpus(corpus, options);
  EXPECT_EQ(status.error().code, ErrorCode::token_out_of_range);
  EXPECT_EQ(status.error().document, 1u);
  EXPECT_NE(status.error().message.find("token 1: id 255 is not below vocab_size 255"), std::string::npos)
      << status.error().message;
  const std::vector<std::uint8_t> too_few{0, 1};
  corpus.tokens = too_few;
  EXPECT_EQ(check_corpus(corpus, options).error().code, ErrorCode::length_mismatch);
}

// Of ids of either width, which must agree.
std::vector<std::uint8_t> duplicates_of(const std::vector<std::vector<std::int32_t>>& documents) {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> offsets{0};
  for (const auto& document : documents) {
    tokens.insert(tokens.end(), document.begin(), document.end());
    offsets.push_back(tokens.size());
  }
  Corpus corpus;
  corpus.tokens = tokens;
  corpus.document_offsets = offsets;
  const std::vector<std::uint8_t> found = find_duplicates(corpus);
  const std::vector<std::uint8_t> bytes(tokens.begin(), tokens.end());
  corpus.tokens = bytes;
  EXPECT_EQ(find_duplicates(corpus), found);
  return found;
}

TEST(FindDuplicates, MarksRepeatsOfEarlierDocuments) {
  EXPECT_EQ(duplicates_of({{1, 2}, {1}, {1, 2}, {2, 1}, {1}, {1, 2}}),
            (std::vector<std::uint8_t>{0, 0, 1, 0, 1, 1}));
}

TEST(FindDuplicates, TellsTrailingZerosApart) {
  EXPECT_EQ(duplicates_of({{0}, {0, 0}, {0, 0, 0}, {0, 0, 0, 0}}), (std::vector<std::uint8_t>{0, 0, 0, 0}));
}

TEST(FindDuplicates, EmptyDocumentsAreNone) {
  EXPECT_EQ(duplicates_of({{}, {1}, {}}), (std::vector<std::uint8_t>{0, 0, 0}));
}

TEST(FindDuplicates, KnowsNothingWithoutTokens) {
  const std::vector<std::uint64_t> offsets{0, 2, 4};
  Corpus corpus;
  corpus.document_offsets = offsets;
  EXPECT_EQ(find_duplicates(corpus), (std::vector<std::uint8_t>{0, 0}));
}

// Around the words that are hashed.
TEST(FindDuplicates, TellsApartWhatDiffersInOneToken) {
  for (std::size_t length = 1; length < 40; ++length) {
    std::vector<std::vector<std::int32_t>> documents(length + 1, std::vector<std::int32_t>(length, 200));
    for (std::size_t i = 0; i < length; ++i) documents[i][i] = 201;
    documents.push_back(documents.front());
    std::vector<std::uint8_t> expected(length + 2, 0);
    expected.back() = 1;
    EXPECT_EQ(duplicates_of(documents), expected);
  }
}

// Comparing each with each would take 10^10 comparisons: the test would not end.
TEST(FindDuplicates, StaysLinearOnManyEqualDocuments) {
  std::vector<std::vector<std::int32_t>> documents(100'000, {1, 2, 3});
  const std::vector<std::uint8_t> duplicates = duplicates_of(documents);
  EXPECT_EQ(std::count(duplicates.begin(), duplicates.end(), 1), 99'999);
}

}  // namespace
}  // namespace packscope
