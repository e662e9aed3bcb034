// SPDX-License-Identifier: MIT
// Tokens in memory and in the spool: of a byte while they may be, of four from the first wider ones on, and
// never another id.
#include "input/token_store.hpp"

#include <gtest/gtest.h>

#include "input/corpus_data.hpp"
#include "input/read_input.hpp"
#include "temporary_file.hpp"
#include "token_ids.hpp"

namespace packscope::native {
namespace {

using Ids = std::vector<std::int32_t>;
using Bytes = std::vector<std::uint8_t>;

const Bytes kBytes{0, 127, 128, 255};
const Ids kWide{256, 0, INT32_MAX};

TEST(TokenStore, HoldsBytesAsBytes) {
  TokenStore store;
  store.append(kBytes);
  store.append(kBytes);
  EXPECT_FALSE(store.is_wide());
  EXPECT_EQ(store.view().bytes().size(), 8u);
  EXPECT_EQ(ids_of(store.view()), (Ids{0, 127, 128, 255, 0, 127, 128, 255}));
}

TEST(TokenStore, WidensWhenWiderIdsCome) {
  TokenStore store;
  store.append(kBytes);
  store.append(kWide);
  store.append(kBytes);
  EXPECT_TRUE(store.is_wide());
  EXPECT_EQ(ids_of(store.view()), (Ids{0, 127, 128, 255, 256, 0, INT32_MAX, 0, 127, 128, 255}));
}

TEST(TokenStore, WidensOnRequest) {
  TokenStore store;
  store.append(kBytes);
  store.wide().push_back(1000);
  EXPECT_EQ(ids_of(store.view()), (Ids{0, 127, 128, 255, 1000}));
}

TEST(TokenStore, StaysNarrowWhereNothingIsAppended) {
  TokenStore store;
  store.append(Ids{});
  store.append(Bytes{});
  EXPECT_FALSE(store.is_wide());
  EXPECT_TRUE(store.empty());
  EXPECT_TRUE(store.view().empty());
}

TEST(TokenStore, MovesAndCutsAtEitherWidth) {
  for (const bool is_wide : {false, true}) {
    TokenStore store;
    if (is_wide) store.wide();
    store.append(Bytes{1, 2, 3, 200, 5});
    store.move_down(2, 1, 3);
    store.cut(4);
    EXPECT_EQ(ids_of(store.view()), (Ids{1, 3, 200, 5}));
    store.clear();
    EXPECT_TRUE(store.empty());
    EXPECT_EQ(store.is_wide(), is_wide);
  }
}

// One document for each array, with at most `bytes` of tokens in memory.
CorpusData corpus_of(std::uint64_t bytes, const std::vector<TokenView>& documents) {
  CorpusData corpus;
  corpus.tokens_known = true;
  corpus.token_memory = {bytes, ::testing::TempDir()};
  for (const TokenView document : documents) {
    if (document.is_wide()) {
      EXPECT_TRUE(corpus.widen_tokens());
    }
    corpus.tokens.append(document);
    corpus.document_offsets.push_back(corpus.token_count() + document.size());
    EXPECT_TRUE(corpus.settle());
  }
  EXPECT_TRUE(corpus.finish());
  return corpus;
}

TEST(TokenStore, IsTheSameWithinAnyMemory) {
  for (const std::uint64_t bytes : {1u, 4u, 5u, 7u, 8u, 12u, 16u, 20u, 40u, 1000u}) {
    SCOPED_TRACE(bytes);
    const CorpusData narrow = corpus_of(bytes, {kBytes, Bytes{}, kBytes});
    EXPECT_EQ(narrow.view().tokens.id_bytes(), 1u);
    EXPECT_EQ(ids_of(narrow.view().tokens), (Ids{0, 127, 128, 255, 0, 127, 128, 255}));
    EXPECT_EQ(narrow.spool.has_value(), bytes <= 8);
    const CorpusData mixed = corpus_of(bytes, {kBytes, kWide, kBytes});
    EXPECT_EQ(mixed.view().tokens.id_bytes(), 4u);
    EXPECT_EQ(ids_of(mixed.view().tokens), (Ids{0, 127, 128, 255, 256, 0, INT32_MAX, 0, 127, 128, 255}));
    EXPECT_EQ(mixed.spool.has_value(), bytes <= 40);
  }
}

// An .npy file of unsigned integers, little-endian.
std::string npy(std::string_view descr, std::size_t count, std::string_view values) {
  std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(count) + ",), }";
  header.resize(117, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string(values);
}

Result<CorpusData> read_npy_pair(std::string_view narrow, std::string_view wide, ReadOptions options) {
  const auto offsets = [](std::uint8_t count) {
    return npy("|u1", 3, std::string{'\0', '\2', static_cast<char>(count)});
  };
  const auto narrow_size = static_cast<std::uint8_t>(narrow.size());
  const auto wide_size = static_cast<std::uint8_t>(wide.size() / 2);
  const TemporaryFile first(npy("|u1", narrow.size(), narrow), ".1.npy");
  const TemporaryFile first_offsets(offsets(narrow_size), ".1.offsets.npy");
  const TemporaryFile second(npy("<u2", wide.size() / 2, wide), ".2.npy");
  const TemporaryFile second_offsets(offsets(wide_size), ".2.offsets.npy");
  options.input = InputKind::npy_tokens;
  options.offsets = {first_offsets.path(), second_offsets.path(), first_offsets.path()};
  const std::string paths[] = {first.path(), second.path(), first.path()};
  return read_input(paths, options, {});
}

TEST(TokenStore, TakesFilesOfBytesAndOfWiderIdsInOneCorpus) {
  const std::string narrow("\x00\x80\xff", 3);
  const std::string wide("\x00\x01\xff\xff\x07\x00", 6);
  for (const std::uint64_t bytes : {1u, 6u, 1000u}) {
    ReadOptions options;
    options.token_memory = {bytes, ::testing::TempDir()};
    const Result<CorpusData> corpus = read_npy_pair(narrow, wide, options);
    ASSERT_TRUE(corpus) << corpus.error().message;
    EXPECT_EQ(ids_of(corpus->view().tokens), (Ids{0, 128, 255, 256, 65535, 7, 0, 128, 255}));
    EXPECT_EQ(corpus->document_offsets, (std::vector<std::uint64_t>{0, 2, 3, 5, 6, 8, 9}));
  }
}

TEST(TokenStore, ChecksBytesAgainstTheVocabulary) {
  ReadOptions options;
  options.vocab_size = 255;
  const Result<CorpusData> corpus =
      read_npy_pair(std::string("\x00\x01\xff", 3), std::string(6, '\0'), options);
  ASSERT_FALSE(corpus);
  EXPECT_EQ(corpus.error().code, ErrorCode::token_out_of_range);
  EXPECT_EQ(corpus.error().document, 1u);
  EXPECT_NE(corpus.error().message.find("document 1 holds 255"), std::string::npos) << corpus.error().message;
}

// Blocks are read apart and joined, and tokens beyond memory lie in a file.
TEST(TokenStore, ReadsTextAsBytesWithAnyThreadsAndMemory) {
  std::string lines, expected;
  for (unsigned i = 0; i < 40'000; ++i) {
    const std::string letters(i % 97, static_cast<char>('a' + i % 26));
    lines += "{\"t\":\"" + letters + "\\n\\u00e9\\\"\"}\n";
    expected += letters + "\n\xc3\xa9\"";
  }
  const TemporaryFile file(lines);
  const std::string paths[] = {file.path()};
  for (const unsigned threads : {1u, 3u}) {
    for (const std::uint64_t bytes : {std::uint64_t{100'000}, UINT64_MAX}) {
      ReadOptions options;
      options.text_fields = {"t"};
      options.threads = threads;
      options.token_memory = {bytes, ::testing::TempDir()};
      const Result<CorpusData> corpus = read_input(paths, options, {});
      ASSERT_TRUE(corpus) << corpus.error().message;
      EXPECT_EQ(corpus->spool.has_value(), bytes == 100'000);
      const std::span<const std::byte> read = corpus->view().tokens.bytes();
      EXPECT_TRUE(std::string_view(reinterpret_cast<const char*>(read.data()), read.size()) == expected);
    }
  }
}

}  // namespace
}  // namespace packscope::native
