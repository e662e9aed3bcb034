// SPDX-License-Identifier: MIT
// The operators by their usual names: hand-worked results, and agreement with pack() and materialize().
#include "packscope/operators.hpp"

#include <gtest/gtest.h>

#include "oracle/batch_oracle.hpp"
#include "packscope/algorithms.hpp"

namespace packscope {
namespace {

using packscope_oracle::OwnedCorpus;
using Ids = std::vector<std::int32_t>;
using Bytes = std::vector<std::uint8_t>;

OwnedCorpus corpus_of(const std::vector<Ids>& documents) {
  OwnedCorpus corpus;
  for (const Ids& document : documents) {
    corpus.tokens.insert(corpus.tokens.end(), document.begin(), document.end());
    corpus.offsets.push_back(corpus.tokens.size());
  }
  return corpus;
}

Options options_of(std::uint32_t context_length, Algorithm algorithm) {
  Options options;
  options.context_length = context_length;
  options.algorithm = algorithm;
  return options;
}

TEST(PackFlat, GivesWindowsOfTokensAndPositions) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}, {4, 5}, {6}});
  const Result<FlatWindows> flat = pack_flat(corpus.view(), options_of(4, Algorithm::next_fit));
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(flat->tokens, (Ids{1, 2, 3, 0, 4, 5, 6, 0}));
  EXPECT_EQ(flat->positions, (Ids{0, 1, 2, 0, 0, 1, 0, 0}));
  EXPECT_EQ(flat->loss_mask, (Bytes{0, 1, 1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(flat->window_lengths, (Ids{3, 3}));
}

TEST(PackFlat, StoresTheExtraToken) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3, 4, 5}});
  Options options = options_of(4, Algorithm::next_fit);
  options.extra_token = true;
  const Result<FlatWindows> flat = pack_flat(corpus.view(), options);
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(flat->tokens, (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(flat->plan.options, options);
}

TEST(PackFlat, PacksAndPadsEveryField) {
  OwnedCorpus corpus = corpus_of({{1, 2, 3}, {4}});
  corpus.kind = {7, 8, 9, 10};
  corpus.fields = {{"kind", DType::uint8, std::as_bytes(std::span<const std::uint8_t>(corpus.kind))}};
  const Result<FlatWindows> flat = pack_flat(corpus.view(), options_of(5, Algorithm::wrap));
  ASSERT_TRUE(flat) << flat.error().message;
  ASSERT_EQ(flat->fields.size(), 1u);
  EXPECT_EQ(flat->fields[0].name, "kind");
  const auto value = [](std::uint8_t byte) { return std::byte{byte}; };
  EXPECT_EQ(flat->fields[0].values,
            (std::vector<std::byte>{value(7), value(8), value(9), value(10), value(0)}));
}

TEST(PackFlat, DropsDuplicates) {
  const OwnedCorpus corpus = corpus_of({{1, 2}, {1, 2}, {3}});
  Options options = options_of(4, Algorithm::wrap);
  options.drop_duplicates = true;
  const Result<FlatWindows> flat = pack_flat(corpus.view(), options);
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(flat->tokens, (Ids{1, 2, 3, 0}));
  EXPECT_EQ(flat->plan.ledger.duplicate_documents, 1u);
}

TEST(PackFlat, ChecksTheCorpus) {
  const OwnedCorpus corpus = corpus_of({{1, -2}});
  EXPECT_EQ(pack_flat(corpus.view(), options_of(4, Algorithm::wrap)).error().code,
            ErrorCode::token_out_of_range);
}

TEST(ToTraining, ShiftsLabelsAndMasksBoundariesAndPadding) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}, {4, 5}});
  const Result<FlatWindows> flat = pack_flat(corpus.view(), options_of(7, Algorithm::next_fit));
  ASSERT_TRUE(flat) << flat.error().message;
  const Result<Batch> batch = to_training(*flat);
  ASSERT_TRUE(batch) << batch.error().message;
  EXPECT_EQ(batch->context_length, 6u);
  EXPECT_EQ(batch->input_ids, (Ids{1, 2, 3, 4, 5, 0}));
  EXPECT_EQ(batch->labels, (Ids{2, 3, -100, 5, -100, -100}));
  EXPECT_EQ(batch->loss_mask, (Bytes{1, 1, 0, 1, 0, 0}));
  EXPECT_EQ(batch->position_ids, (Ids{0, 1, 2, 0, 1, 0}));
  EXPECT_EQ(batch->cu_seqlens, (Ids{0, 3, 5, 6}));
}

TEST(ToTraining, RefusesWindowsThatHoldNoPair) {
  const OwnedCorpus corpus = corpus_of({{1}});
  const Result<FlatWindows> flat = pack_flat(corpus.view(), options_of(1, Algorithm::wrap));
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(to_training(*flat).error().code, ErrorCode::invalid_option);
}

TEST(ToTraining, RefusesDocumentMultiple) {
  const OwnedCorpus corpus = corpus_of({{1, 2}});
  Options options = options_of(8, Algorithm::best_fit_decreasing);
  options.document_multiple = 4;
  const Result<FlatWindows> flat = pack_flat(corpus.view(), options);
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(to_training(*flat).error().code, ErrorCode::invalid_option);
}

TEST(ToTraining, RefusesArraysOfAnotherSize) {
  const OwnedCorpus corpus = corpus_of({{1, 2}});
  Result<FlatWindows> flat = pack_flat(corpus.view(), options_of(4, Algorithm::wrap));
  ASSERT_TRUE(flat) << flat.error().message;
  flat->tokens.pop_back();
  EXPECT_EQ(to_training(*flat).error().code, ErrorCode::length_mismatch);
}

void expect_same_batch(const Batch& actual, const Batch& expected) {
  EXPECT_EQ(actual.context_length, expected.context_length);
  EXPECT_EQ(actual.windows.last, expected.windows.last);
  EXPECT_EQ(actual.input_ids, expected.input_ids);
  EXPECT_EQ(actual.labels, expected.labels);
  EXPECT_EQ(actual.position_ids, expected.position_ids);
  EXPECT_EQ(actual.doc_ids, expected.doc_ids);
  EXPECT_EQ(actual.segment_ids, expected.segment_ids);
  EXPECT_EQ(actual.loss_mask, expected.loss_mask);
  EXPECT_EQ(actual.window_lengths, expected.window_lengths);
  EXPECT_EQ(actual.filler, expected.filler);
  EXPECT_EQ(actual.max_seqlen, expected.max_seqlen);
  EXPECT_EQ(actual.cu_seqlens, expected.cu_seqlens);
  EXPECT_EQ(actual.cu_seqlens_offsets, expected.cu_seqlens_offsets);
  EXPECT_EQ(actual.cu_seqlens_count, expected.cu_seqlens_count);
  ASSERT_EQ(actual.fields.size(), expected.fields.size());
  for (std::size_t i = 0; i < actual.fields.size(); ++i) {
    EXPECT_EQ(actual.fields[i].values, expected.fields[i].values);
  }
}

TEST(ToTraining, EqualsMaterializeWithExtraToken) {
  std::mt19937_64 random(3);
  int compared = 0;
  for (int round = 0; round < 1000 && !HasFailure(); ++round) {
    packscope_oracle::Example example = packscope_oracle::random_example(random);
    Options options = example.plan.options;
    if (!options.extra_token) continue;
    options.algorithm = algorithms()[random() % algorithms().size()].algorithm;
    options.window_multiple = 1 + static_cast<std::uint32_t>(random() % 3);
    SCOPED_TRACE(example.description);
    const Corpus corpus = example.corpus.view();
    const Result<FlatWindows> flat = pack_flat(corpus, options);
    ASSERT_TRUE(flat) << flat.error().message;
    const Result<Batch> batch = to_training(*flat);
    ASSERT_TRUE(batch) << batch.error().message;
    const Result<Batch> expected = materialize(flat->plan, corpus, {0, flat->plan.window_count()});
    ASSERT_TRUE(expected) << expected.error().message;
    expect_same_batch(*batch, *expected);
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(PackExamples, ConcatenatesAndChops) {
  const std::vector<Ids> examples{{1, 2, 3}, {}, {4, 5, 6, 7, 8}, {9}};
  const Result<PackedExamples> packed = pack_examples(examples, 4, 99);
  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_EQ(packed->input_ids, (Ids{1, 2, 3, 4, 5, 6, 7, 8, 9, 99, 99, 99}));
  EXPECT_EQ(packed->doc_ids, (Ids{0, 0, 0, 2, 2, 2, 2, 2, 3, -1, -1, -1}));
}

TEST(PackExamples, GivesNoWindowsForNoTokens) {
  const std::vector<Ids> examples{{}, {}};
  const Result<PackedExamples> packed = pack_examples(examples, 4, 0);
  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_TRUE(packed->input_ids.empty());
  EXPECT_TRUE(pack_examples({}, 4, 0));
}

TEST(PackExamples, RefusesAContextLengthOfZero) {
  const std::vector<Ids> examples{{1}};
  EXPECT_EQ(pack_examples(examples, 0, 0).error().code, ErrorCode::invalid_option);
}

// A record that counts how often it was cut.
struct Record {
  std::string text;
  int cuts = 0;
};

Result<std::vector<std::vector<Record>>> packed_records(const std::vector<std::string>& texts,
                                                        const Options& options) {
  std::vector<Record> records;
  for (const std::string& text : texts) records.push_back({text});
  return pack_sequences(
      std::span<const Record>(records), [](const Record& record) { return record.text.size(); },
      [](const Record& record, std::uint32_t offset, std::uint32_t length) {
        return Record{record.text.substr(offset, length), record.cuts + 1};
      },
      options);
}

std::vector<std::vector<std::string>> texts_of(const std::vector<std::vector<Record>>& groups) {
  std::vector<std::vector<std::string>> texts;
  for (const std::vector<Record>& group : groups) {
    texts.emplace_back();
    for (const Record& record : group) texts.back().push_back(record.text);
  }
  return texts;
}

TEST(PackSequences, KeepsRecordsUntouched) {
  const auto groups = packed_records({"abc", "de", "", "f"}, options_of(4, Algorithm::first_fit));
  ASSERT_TRUE(groups) << groups.error().message;
  EXPECT_EQ(texts_of(*groups), (std::vector<std::vector<std::string>>{{"abc", "f"}, {"de"}}));
  for (const auto& group : *groups) {
    for (const Record& record : group) EXPECT_EQ(record.cuts, 0);
  }
}

TEST(PackSequences, SlicesWhereTheAlgorithmSplits) {
  const auto groups = packed_records({"abc", "defgh"}, options_of(4, Algorithm::wrap));
  ASSERT_TRUE(groups) << groups.error().message;
  EXPECT_EQ(texts_of(*groups), (std::vector<std::vector<std::string>>{{"abc", "d"}, {"efgh"}}));
  EXPECT_EQ((*groups)[0][0].cuts, 0);
  EXPECT_EQ((*groups)[0][1].cuts, 1);
}

TEST(PackSequences, SlicesWhatLongDocumentsTruncates) {
  Options options = options_of(4, Algorithm::first_fit);
  options.long_documents = LongDocuments::truncate_left;
  const auto groups = packed_records({"abcdef"}, options);
  ASSERT_TRUE(groups) << groups.error().message;
  EXPECT_EQ(texts_of(*groups), (std::vector<std::vector<std::string>>{{"cdef"}}));
}

TEST(PackSequences, RefusesWhatRecordsCannotCarry) {
  Options with_separator = options_of(4, Algorithm::first_fit);
  with_separator.separator_id = 1;
  EXPECT_EQ(packed_records({"a"}, with_separator).error().code, ErrorCode::invalid_option);
  Options with_bos = options_of(4, Algorithm::first_fit);
  with_bos.bos_id = 1;
  EXPECT_EQ(packed_records({"a"}, with_bos).error().code, ErrorCode::invalid_option);
  Options without_duplicates = options_of(4, Algorithm::first_fit);
  without_duplicates.drop_duplicates = true;
  EXPECT_EQ(packed_records({"a"}, without_duplicates).error().code, ErrorCode::invalid_option);
}

}  // namespace
}  // namespace packscope
