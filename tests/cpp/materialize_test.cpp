// SPDX-License-Identifier: MIT
// Batches: each rule by a hand-worked window, then random plans against the token-by-token oracle.
#include <gtest/gtest.h>

#include "oracle/batch_oracle.hpp"
#include "packscope/batch.hpp"

namespace packscope {
namespace {

using packscope_oracle::Example;
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

Plan plan_of(const Options& options, const std::vector<std::vector<Segment>>& windows) {
  Plan plan;
  plan.options = options;
  for (const std::vector<Segment>& window : windows) {
    plan.segments.insert(plan.segments.end(), window.begin(), window.end());
    plan.window_offsets.push_back(plan.segments.size());
  }
  return plan;
}

Batch made(const Plan& plan, const Corpus& corpus) {
  Result<Batch> batch = materialize(plan, corpus, {0, plan.window_count()});
  EXPECT_TRUE(batch) << batch.error().message;
  return batch ? *std::move(batch) : Batch{};
}

Options options_of(std::uint32_t context_length) {
  Options options;
  options.context_length = context_length;
  return options;
}

void expect_equal(const Batch& actual, const Batch& expected) {
  EXPECT_EQ(actual.windows.first, expected.windows.first);
  EXPECT_EQ(actual.windows.last, expected.windows.last);
  EXPECT_EQ(actual.context_length, expected.context_length);
  EXPECT_EQ(actual.input_ids, expected.input_ids);
  EXPECT_EQ(actual.labels, expected.labels);
  EXPECT_EQ(actual.position_ids, expected.position_ids);
  EXPECT_EQ(actual.doc_ids, expected.doc_ids);
  EXPECT_EQ(actual.doc_ids_wide, expected.doc_ids_wide);
  EXPECT_EQ(actual.segment_ids, expected.segment_ids);
  EXPECT_EQ(actual.loss_mask, expected.loss_mask);
  EXPECT_EQ(actual.window_lengths, expected.window_lengths);
  EXPECT_EQ(actual.max_seqlen, expected.max_seqlen);
  EXPECT_EQ(actual.filler, expected.filler);
  EXPECT_EQ(actual.cu_seqlens, expected.cu_seqlens);
  EXPECT_EQ(actual.cu_seqlens_padded, expected.cu_seqlens_padded);
  EXPECT_EQ(actual.cu_seqlens_offsets, expected.cu_seqlens_offsets);
  EXPECT_EQ(actual.cu_seqlens_count, expected.cu_seqlens_count);
  ASSERT_EQ(actual.fields.size(), expected.fields.size());
  for (std::size_t i = 0; i < actual.fields.size(); ++i) {
    EXPECT_EQ(actual.fields[i].name, expected.fields[i].name);
    EXPECT_EQ(actual.fields[i].dtype, expected.fields[i].dtype);
    EXPECT_EQ(actual.fields[i].values, expected.fields[i].values);
  }
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_batch(Batch& to, const Batch& from) {
  to.windows.last = from.windows.last;
  append(to.input_ids, from.input_ids);
  append(to.labels, from.labels);
  append(to.position_ids, from.position_ids);
  append(to.doc_ids, from.doc_ids);
  append(to.segment_ids, from.segment_ids);
  append(to.loss_mask, from.loss_mask);
  append(to.window_lengths, from.window_lengths);
  append(to.max_seqlen, from.max_seqlen);
  append(to.filler, from.filler);
  const std::uint64_t base = to.cu_seqlens.size();
  append(to.cu_seqlens, from.cu_seqlens);
  append(to.cu_seqlens_padded, from.cu_seqlens_padded);
  append(to.cu_seqlens_count, from.cu_seqlens_count);
  for (std::size_t i = 1; i < from.cu_seqlens_offsets.size(); ++i) {
    to.cu_seqlens_offsets.push_back(base + from.cu_seqlens_offsets[i]);
  }
  for (std::size_t i = 0; i < to.fields.size(); ++i) append(to.fields[i].values, from.fields[i].values);
}

TEST(Materialize, PadsTheTailAndRestartsPositions) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}, {4, 5}});
  const Batch batch = made(plan_of(options_of(8), {{{0, 0, 3}, {1, 0, 2}}}), corpus.view());
  EXPECT_EQ(batch.input_ids, (Ids{1, 2, 3, 4, 5, 0, 0, 0}));
  EXPECT_EQ(batch.labels, (Ids{2, 3, -100, 5, -100, -100, -100, -100}));
  EXPECT_EQ(batch.loss_mask, (Bytes{1, 1, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(batch.position_ids, (Ids{0, 1, 2, 0, 1, 0, 1, 2}));
  EXPECT_EQ(batch.doc_ids, (Ids{0, 0, 0, 1, 1, -1, -1, -1}));
  EXPECT_EQ(batch.segment_ids, (Ids{1, 1, 1, 2, 2, 0, 0, 0}));
  EXPECT_EQ(batch.cu_seqlens, (Ids{0, 3, 5, 8}));
  EXPECT_EQ(batch.max_seqlen, (Ids{3}));
  EXPECT_EQ(batch.window_lengths, (Ids{5}));
  EXPECT_EQ(batch.filler, (Bytes{0}));
}

TEST(Materialize, ContinuesPositionsInsideTheDocument) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3, 4, 5}});
  Options options = options_of(4);
  options.long_documents = LongDocuments::split;
  options.position_ids = PositionIds::continued;
  options.padding_position_ids = PaddingPositionIds::zeros;
  const Batch batch = made(plan_of(options, {{{0, 3, 2}}}), corpus.view());
  EXPECT_EQ(batch.position_ids, (Ids{3, 4, 0, 0}));
}

TEST(Materialize, AlignsLabelsWithInputs) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}, {4, 5}});
  Options options = options_of(5);
  options.labels = Labels::aligned;
  const Plan plan = plan_of(options, {{{0, 0, 3}, {1, 0, 2}}});
  EXPECT_EQ(made(plan, corpus.view()).labels, (Ids{-100, 2, 3, -100, 5}));
}

TEST(Materialize, TrainsAcrossBoundariesOnlyBetweenNeighbours) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}, {4, 5}});
  Options options = options_of(8);
  options.cross_boundary_labels = true;
  const std::vector<std::vector<Segment>> windows{{{0, 0, 3}, {1, 0, 2}}};
  EXPECT_EQ(made(plan_of(options, windows), corpus.view()).labels, (Ids{2, 3, 4, 5, -100, -100, -100, -100}));
  options.document_multiple = 4;
  EXPECT_EQ(made(plan_of(options, windows), corpus.view()).labels,
            (Ids{2, 3, -100, -100, 5, -100, -100, -100}));
}

TEST(Materialize, RunsPositionsOnOverTheGap) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3, 4, 5}, {6}});
  Options options = options_of(16);
  options.document_multiple = 4;
  options.pad_token_id = 9;
  const Plan plan = plan_of(options, {{{0, 0, 5}, {1, 0, 1}}});
  const Batch batch = made(plan, corpus.view());
  EXPECT_EQ(batch.input_ids, (Ids{1, 2, 3, 4, 5, 9, 9, 9, 6, 9, 9, 9, 9, 9, 9, 9}));
  EXPECT_EQ(batch.position_ids, (Ids{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(batch.doc_ids, (Ids{0, 0, 0, 0, 0, -1, -1, -1, 1, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(batch.segment_ids, (Ids{1, 1, 1, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(batch.cu_seqlens, (Ids{0, 5, 6, 10}));
  EXPECT_EQ(batch.cu_seqlens_padded, (Ids{0, 8, 12, 16}));
  EXPECT_EQ(batch.max_seqlen, (Ids{5}));
}

TEST(Materialize, EndsRealCuSeqlensAtTheLastDocument) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3, 4, 5}, {6}});
  Options options = options_of(16);
  options.document_multiple = 4;
  options.cu_seqlens = CuSeqlens::real;
  const Batch batch = made(plan_of(options, {{{0, 0, 5}, {1, 0, 1}}, {}}), corpus.view());
  EXPECT_EQ(batch.cu_seqlens, (Ids{0, 5, 6, 0}));
  EXPECT_EQ(batch.cu_seqlens_padded, (Ids{0, 8, 12, 0}));
  EXPECT_EQ(batch.cu_seqlens_offsets, (std::vector<std::uint64_t>{0, 3, 4}));
}

TEST(Materialize, RepeatsTheTotalUpToTheWidth) {
  const OwnedCorpus corpus = corpus_of({{1, 2}, {3}});
  Options options = options_of(4);
  options.cu_seqlens_width = 5;
  const Batch batch = made(plan_of(options, {{{0, 0, 2}, {1, 0, 1}}, {}}), corpus.view());
  EXPECT_EQ(batch.cu_seqlens, (Ids{0, 2, 3, 4, 4, 0, 4, 4, 4, 4}));
  EXPECT_EQ(batch.cu_seqlens_count, (Ids{4, 2}));
  EXPECT_EQ(batch.cu_seqlens_offsets, (std::vector<std::uint64_t>{0, 5, 10}));
}

TEST(Materialize, NamesTheWindowAndTheWidthThatItNeeds) {
  const OwnedCorpus corpus = corpus_of({{1, 2}, {3}});
  Options options = options_of(4);
  options.cu_seqlens_width = 3;
  const Plan plan = plan_of(options, {{{0, 0, 2}}, {{0, 0, 2}, {1, 0, 1}}});
  const Result<Batch> batch = materialize(plan, corpus.view(), {0, 2});
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, ErrorCode::invalid_option);
  EXPECT_NE(batch.error().message.find("window 1 has 4 entries"), std::string::npos) << batch.error().message;
}

TEST(Materialize, FillerWindowsAreAllPadding) {
  const OwnedCorpus corpus = corpus_of({{1, 2}});
  Options options = options_of(3);
  options.pad_token_id = 7;
  const Batch batch = made(plan_of(options, {{{0, 0, 2}}, {}}), corpus.view());
  EXPECT_EQ(batch.input_ids, (Ids{1, 2, 7, 7, 7, 7}));
  EXPECT_EQ(batch.position_ids, (Ids{0, 1, 0, 0, 1, 2}));
  EXPECT_EQ(batch.filler, (Bytes{0, 1}));
  EXPECT_EQ(batch.window_lengths, (Ids{2, 0}));
  EXPECT_EQ(batch.cu_seqlens, (Ids{0, 2, 3, 0, 3}));
  EXPECT_EQ(batch.max_seqlen, (Ids{2, 3}));
}

TEST(Materialize, ExtraTokenIsOnlyALabel) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3, 4}, {5}});
  Options options = options_of(4);
  options.extra_token = true;
  const Batch batch = made(plan_of(options, {{{0, 0, 4}, {1, 0, 1}}}), corpus.view());
  EXPECT_EQ(batch.input_ids, (Ids{1, 2, 3, 4}));
  EXPECT_EQ(batch.labels, (Ids{2, 3, 4, -100}));
  EXPECT_EQ(batch.segment_ids, (Ids{1, 1, 1, 1}));
  EXPECT_EQ(batch.cu_seqlens, (Ids{0, 4}));
  EXPECT_EQ(batch.window_lengths, (Ids{4}));
}

TEST(Materialize, ExtraTokenGivesTheLastInputItsLabel) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3, 4, 5}});
  Options options = options_of(4);
  options.extra_token = true;
  const Batch batch = made(plan_of(options, {{{0, 0, 5}}}), corpus.view());
  EXPECT_EQ(batch.input_ids, (Ids{1, 2, 3, 4}));
  EXPECT_EQ(batch.labels, (Ids{2, 3, 4, 5}));
}

TEST(Materialize, AddedTokensAreNoTargets) {
  const OwnedCorpus corpus = corpus_of({{1, 2}});
  Options options = options_of(5);
  options.bos_id = 50;
  options.separator_id = 51;
  const Plan plan = plan_of(options, {{{0, 0, 4}}});
  const Batch batch = made(plan, corpus.view());
  EXPECT_EQ(batch.input_ids, (Ids{50, 1, 2, 51, 0}));
  EXPECT_EQ(batch.labels, (Ids{1, 2, -100, -100, -100}));
}

TEST(Materialize, SeparatorLossTrainsTheSeparator) {
  const OwnedCorpus corpus = corpus_of({{1, 2}});
  Options options = options_of(5);
  options.separator_id = 51;
  options.separator_loss = true;
  const Batch batch = made(plan_of(options, {{{0, 0, 3}}}), corpus.view());
  EXPECT_EQ(batch.labels, (Ids{2, 51, -100, -100, -100}));
}

TEST(Materialize, PromptsCountFromTheDocumentsFirstToken) {
  OwnedCorpus corpus = corpus_of({{1, 2, 3, 4, 5, 6}});
  corpus.prompt_lengths = {4};
  Options options = options_of(4);
  options.long_documents = LongDocuments::split;
  const Batch batch = made(plan_of(options, {{{0, 0, 2}}, {{0, 2, 4}}}), corpus.view());
  EXPECT_EQ(batch.labels, (Ids{-100, -100, -100, -100, -100, 5, 6, -100}));
}

TEST(Materialize, InputLossMaskAlignsWithTokens) {
  OwnedCorpus corpus = corpus_of({{1, 2, 3, 4}});
  corpus.loss_mask = {1, 0, 1, 0};
  const Batch batch = made(plan_of(options_of(4), {{{0, 0, 4}}}), corpus.view());
  EXPECT_EQ(batch.labels, (Ids{-100, 3, -100, -100}));
  EXPECT_EQ(batch.loss_mask, (Bytes{0, 1, 0, 0}));
}

TEST(Materialize, PaddingIsMaskedByPositionNotById) {
  const OwnedCorpus corpus = corpus_of({{7, 7, 7}});
  Options options = options_of(4);
  options.pad_token_id = 7;
  const Batch batch = made(plan_of(options, {{{0, 0, 3}}}), corpus.view());
  EXPECT_EQ(batch.labels, (Ids{7, 7, -100, -100}));
}

TEST(Materialize, WithoutTokensMakesEverythingButInputsAndLabels) {
  OwnedCorpus corpus = corpus_of({{1, 2, 3}});
  corpus.has_tokens = false;
  const Batch batch = made(plan_of(options_of(4), {{{0, 0, 3}}}), corpus.view());
  EXPECT_TRUE(batch.input_ids.empty());
  EXPECT_TRUE(batch.labels.empty());
  EXPECT_EQ(batch.loss_mask, (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(batch.doc_ids, (Ids{0, 0, 0, -1}));
}

TEST(Materialize, MakesOnlyWhatIsAskedFor) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}});
  const Plan plan = plan_of(options_of(4), {{{0, 0, 3}}});
  BatchFields fields{false, false, false, false, true, false, false, false};
  const Result<Batch> batch = materialize(plan, corpus.view(), {0, 1}, fields);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->segment_ids, (Ids{1, 1, 1, 0}));
  EXPECT_TRUE(batch->input_ids.empty() && batch->labels.empty() && batch->position_ids.empty() &&
              batch->doc_ids.empty() && batch->loss_mask.empty() && batch->cu_seqlens.empty() &&
              batch->cu_seqlens_offsets.empty() && batch->max_seqlen.empty());
}

struct Mismatch {
  const char* name;
  std::vector<Segment> window;
};
class MaterializeMismatch : public testing::TestWithParam<Mismatch> {};

TEST_P(MaterializeMismatch, IsAnError) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}, {}, {4, 5, 6, 7, 8}});
  const Plan plan = plan_of(options_of(4), {GetParam().window});
  EXPECT_FALSE(materialize(plan, corpus.view(), {0, 1}));
}

INSTANTIATE_TEST_SUITE_P(
    Plans, MaterializeMismatch,
    testing::Values(Mismatch{"NoSuchDocument", {{3, 0, 1}}}, Mismatch{"HugeDocument", {{UINT32_MAX, 0, 1}}},
                    Mismatch{"BeyondTheDocument", {{0, 1, 3}}}, Mismatch{"HugeOffset", {{0, UINT32_MAX, 1}}},
                    Mismatch{"EmptyDocument", {{1, 0, 1}}}, Mismatch{"DroppedDocument", {{2, 0, 4}}},
                    Mismatch{"EmptySegment", {{0, 0, 0}}}, Mismatch{"HugeLength", {{0, 0, UINT32_MAX}}},
                    Mismatch{"Overflow", {{0, 0, 3}, {0, 0, 2}}}),
    [](const auto& mismatch) { return std::string(mismatch.param.name); });

TEST(Materialize, RefusesARangeOutsideThePlan) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}});
  const Plan plan = plan_of(options_of(4), {{{0, 0, 3}}});
  EXPECT_FALSE(materialize(plan, corpus.view(), {0, 2}));
  EXPECT_FALSE(materialize(plan, corpus.view(), {1, 0}));
  EXPECT_TRUE(materialize(plan, corpus.view(), {1, 1}));
}

TEST(Materialize, RefusesOffsetsBeyondThePlansSegments) {
  const OwnedCorpus corpus = corpus_of({{1, 2, 3}});
  Plan plan = plan_of(options_of(4), {{{0, 0, 3}}});
  plan.window_offsets.back() = 2;
  EXPECT_FALSE(materialize(plan, corpus.view(), {0, 1}));
}

TEST(Materialize, RefusesArraysOfTheWrongSize) {
  OwnedCorpus corpus = corpus_of({{1, 2, 3}});
  const Plan plan = plan_of(options_of(4), {{{0, 0, 3}}});
  corpus.loss_mask = {1, 1};
  EXPECT_EQ(materialize(plan, corpus.view(), {0, 1}).error().code, ErrorCode::length_mismatch);
}

TEST(Materialize, RefusesAPositionIdThatDoesNotFit) {
  const std::vector<std::uint64_t> offsets{0, 3'000'000'000};
  Corpus corpus;
  corpus.document_offsets = offsets;
  Options options = options_of(4);
  options.long_documents = LongDocuments::split;
  options.position_ids = PositionIds::continued;
  EXPECT_TRUE(materialize(plan_of(options, {{{0, INT32_MAX - 3u, 4}}}), corpus, {0, 1}));
  EXPECT_FALSE(materialize(plan_of(options, {{{0, INT32_MAX - 2u, 4}}}), corpus, {0, 1}));
}

class MaterializeRandom : public testing::TestWithParam<std::uint64_t> {};

TEST_P(MaterializeRandom, EqualsTheTokenByTokenOracle) {
  std::mt19937_64 random(GetParam());
  Batch reused;
  for (int round = 0; round < 200; ++round) {
    const Example example = packscope_oracle::random_example(random);
    SCOPED_TRACE(example.description);
    const Corpus corpus = example.corpus.view();
    const WindowRange all{0, example.plan.window_count()};
    const Status status = materialize_into(reused, example.plan, corpus, all);
    ASSERT_TRUE(status) << status.error().message;
    const Batch expected = packscope_oracle::batch(example.plan, corpus);
    expect_equal(reused, expected);
    expect_equal(made(example.plan, corpus), expected);
    if (HasFailure()) return;
  }
}

TEST_P(MaterializeRandom, AnySplitIntoRangesGivesTheSameBytes) {
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const Example example = packscope_oracle::random_example(random);
    SCOPED_TRACE(example.description);
    const Corpus corpus = example.corpus.view();
    const std::uint64_t windows = example.plan.window_count();
    Result<Batch> joined = materialize(example.plan, corpus, {0, 0});
    ASSERT_TRUE(joined);
    for (std::uint64_t first = 0; first < windows;) {
      const std::uint64_t last = first + 1 + random() % (windows - first);
      const Result<Batch> part = materialize(example.plan, corpus, {first, last});
      ASSERT_TRUE(part);
      append_batch(*joined, *part);
      first = last;
    }
    expect_equal(*joined, made(example.plan, corpus));
    if (HasFailure()) return;
  }
}

TEST_P(MaterializeRandom, LossMaskIsOneExactlyWhereThereIsALabel) {
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const Example example = packscope_oracle::random_example(random);
    if (!example.corpus.view().has_tokens()) continue;
    const Batch batch = made(example.plan, example.corpus.view());
    ASSERT_EQ(batch.labels.size(), batch.loss_mask.size()) << example.description;
    for (std::size_t i = 0; i < batch.labels.size(); ++i) {
      ASSERT_EQ(batch.loss_mask[i] == 1, batch.labels[i] != kIgnoredLabel) << example.description;
    }
  }
}

// The tokens of a plan's segments and what belongs to them, without the rest of the corpus.
struct OwnedExcerpt {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint8_t> loss_mask;
  std::vector<std::uint32_t> prompt_lengths, document_lengths;
  std::vector<std::vector<std::byte>> field_values;
  std::vector<FieldView> fields;

  OwnedExcerpt(const Plan& plan, const Corpus& corpus, WindowRange range)
      : field_values(corpus.fields.size()) {
    for (std::uint64_t window = range.first; window < range.last; ++window) {
      for (const Segment& segment : plan.window(window)) add(plan.options, corpus, segment);
    }
    for (std::size_t i = 0; i < corpus.fields.size(); ++i) {
      fields.push_back({corpus.fields[i].name, corpus.fields[i].dtype, field_values[i]});
    }
  }

  void add(const Options& options, const Corpus& corpus, const Segment& segment) {
    const std::uint64_t document = corpus.document_offsets[segment.document];
    const auto length =
        static_cast<std::uint32_t>(corpus.document_offsets[segment.document + std::size_t{1}] - document);
    const std::uint32_t bos = options.bos_id ? 1 : 0;
    const std::uint32_t first =
        std::min(segment.document_offset - std::min(segment.document_offset, bos), length);
    const std::uint32_t last = std::min(first + segment.length, length);
    copy(tokens, corpus.tokens, document + first, document + last);
    copy(loss_mask, corpus.loss_mask, document + first, document + last);
    for (std::size_t i = 0; i < corpus.fields.size(); ++i) {
      const std::size_t size = dtype_size(corpus.fields[i].dtype);
      copy(field_values[i], corpus.fields[i].values, (document + first) * size, (document + last) * size);
    }
    if (!corpus.prompt_lengths.empty()) prompt_lengths.push_back(corpus.prompt_lengths[segment.document]);
    document_lengths.push_back(length);
    offsets.push_back(offsets.back() + last - first);
  }

  static void copy(std::vector<std::int32_t>& to, TokenView from, std::uint64_t begin, std::uint64_t end) {
    if (from.empty()) return;
    to.resize(to.size() + (end - begin));
    from.subspan(begin, end - begin).copy_to(to.data() + to.size() - (end - begin));
  }
  template <class T>
  static void copy(std::vector<T>& to, std::span<const T> from, std::uint64_t begin, std::uint64_t end) {
    if (from.empty()) return;
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  }

  [[nodiscard]] CorpusExcerpt view() const {
    return {{tokens, offsets, loss_mask, prompt_lengths, fields, {}, {}}, document_lengths};
  }
};

TEST_P(MaterializeRandom, AnExcerptGivesTheSameBytes) {
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const Example example = packscope_oracle::random_example(random);
    SCOPED_TRACE(example.description);
    const Corpus corpus = example.corpus.view();
    const std::uint64_t windows = example.plan.window_count();
    const std::uint64_t first = random() % (windows + 1);
    const WindowRange range{first, first + random() % (windows - first + 1)};
    BatchFields fields;
    fields.input_ids = fields.labels = corpus.has_tokens();
    const OwnedExcerpt excerpt(example.plan, corpus, range);
    const Result<Batch> part = materialize(example.plan, excerpt.view(), range, fields);
    ASSERT_TRUE(part) << part.error().message;
    expect_equal(*part, *materialize(example.plan, corpus, range, fields));
    if (HasFailure()) return;
  }
}

TEST_P(MaterializeRandom, IdsOfAByteGiveTheSameBatches) {
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const Example example = packscope_oracle::random_example(random);
    SCOPED_TRACE(example.description);
    const Batch expected = made(example.plan, example.corpus.view());
    const Bytes bytes(example.corpus.tokens.begin(), example.corpus.tokens.end());
    Corpus corpus = example.corpus.view();
    if (corpus.has_tokens()) corpus.tokens = bytes;
    expect_equal(made(example.plan, corpus), expected);

    const WindowRange all{0, example.plan.window_count()};
    BatchFields fields;
    fields.input_ids = fields.labels = corpus.has_tokens();
    const OwnedExcerpt excerpt(example.plan, corpus, all);
    const Bytes excerpt_bytes(excerpt.tokens.begin(), excerpt.tokens.end());
    CorpusExcerpt view = excerpt.view();
    view.segments.tokens = excerpt_bytes;
    const Result<Batch> part = materialize(example.plan, view, all, fields);
    ASSERT_TRUE(part) << part.error().message;
    expect_equal(*part, expected);
    if (HasFailure()) return;
  }
}

TEST_P(MaterializeRandom, APlanAloneGivesWhatFollowsFromIt) {
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 100; ++round) {
    const Example example = packscope_oracle::random_example(random);
    SCOPED_TRACE(example.description);
    const WindowRange all{0, example.plan.window_count()};
    BatchFields known;
    known.input_ids = known.labels = known.position_ids = known.loss_mask = known.fields = false;
    const Result<Batch> alone = materialize(example.plan, all);
    ASSERT_TRUE(alone) << alone.error().message;
    expect_equal(*alone, *materialize(example.plan, example.corpus.view(), all, known));
    if (HasFailure()) return;
  }
}

TEST(Materialize, RefusesAnExcerptThatLacksTokens) {
  const Plan plan = plan_of(options_of(4), {{{0, 0, 3}}});
  const std::vector<std::uint64_t> offsets{0, 2};
  const std::vector<std::uint32_t> lengths{3};
  const Ids tokens{1, 2};
  CorpusExcerpt excerpt{{tokens, offsets, {}, {}, {}, {}, {}}, lengths};
  EXPECT_EQ(materialize(plan, excerpt, {0, 1}).error().code, ErrorCode::invalid_argument);
  excerpt.segments.tokens = {};
  EXPECT_EQ(materialize(plan, excerpt, {0, 1}).error().code, ErrorCode::length_mismatch);
  excerpt.document_lengths = {};
  EXPECT_EQ(materialize(plan, excerpt, {0, 1}).error().code, ErrorCode::length_mismatch);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MaterializeRandom, testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace packscope
