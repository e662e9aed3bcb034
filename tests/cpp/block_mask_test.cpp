// SPDX-License-Identifier: MIT
// Block lists: hand-worked ones, then every block of random windows classified by looking at each of its
// cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cpp/mask_rule.hpp"
#include "packscope/masks.hpp"

namespace packscope {
namespace {

using packscope_tests::MaskExample;
using packscope_tests::window_of;
using Lines = std::vector<std::string>;

void mark(std::string& line, const std::vector<std::int32_t>& counts, std::span<const std::int32_t> indices,
          std::size_t row, char kind) {
  const auto first = indices.begin() + static_cast<std::ptrdiff_t>(row * line.size());
  const auto last = first + counts[row];
  EXPECT_TRUE(std::is_sorted(first, last));
  for (auto index = first; index != last; ++index) line[static_cast<std::size_t>(*index)] = kind;
}

// A line for each row of blocks of all windows: F full, p partial, . skipped.
Lines lines_of(const BlockMask& mask) {
  Lines lines(mask.kv_num_blocks.size(), std::string(mask.key_blocks, '.'));
  for (std::size_t row = 0; row < lines.size(); ++row) {
    mark(lines[row], mask.kv_num_blocks, mask.kv_indices, row, 'p');
    mark(lines[row], mask.full_kv_num_blocks, mask.full_kv_indices, row, 'F');
  }
  return lines;
}

Lines lines_of(const Plan& plan, const MaskOptions& options, BlockSize block) {
  const Result<BlockMask> mask = block_mask(plan, {0, plan.window_count()}, options, block);
  return mask ? lines_of(*mask) : Lines{mask.error().message};
}

TEST(BlockMask, IsFullOnlyWhereEveryCellIsAllowed) {
  EXPECT_EQ(lines_of(window_of(8, {{0, 0, 8}}), {}, {2, 2}), (Lines{"p...", "Fp..", "FFp.", "FFFp"}));
}

TEST(BlockMask, SkipsWhatLiesBetweenDocuments) {
  EXPECT_EQ(lines_of(window_of(8, {{0, 0, 4}, {1, 0, 4}}), {}, {2, 2}),
            (Lines{"p...", "Fp..", "..p.", "..Fp"}));
}

TEST(BlockMask, IsNeverFullBeyondTheWindow) {
  EXPECT_EQ(lines_of(window_of(5, {{0, 0, 5}}), {.mask = Mask::bidirectional}, {2, 2}),
            (Lines{"FFp", "FFp", "ppp"}));
  EXPECT_EQ(lines_of(window_of(5, {{0, 0, 5}}), {.mask = Mask::bidirectional}, {}), (Lines{"p"}));
}

TEST(BlockMask, ListsTheDiagonalOfPaddingOnlyWherePaddingSeesItself) {
  const Plan plan = window_of(6, {{0, 0, 2}});
  EXPECT_EQ(lines_of(plan, {}, {2, 2}), (Lines{"p..", ".p.", "..p"}));
  EXPECT_EQ(lines_of(plan, {.padding_queries = PaddingQueries::masked}, {2, 2}),
            (Lines{"p..", "...", "..."}));
}

TEST(BlockMask, TakesDifferentSizesForQueriesAndKeys) {
  EXPECT_EQ(lines_of(window_of(6, {{0, 0, 6}}), {}, {3, 1}), (Lines{"Fpp...", "FFFFpp"}));
  EXPECT_EQ(lines_of(window_of(6, {{0, 0, 6}}), {}, {1, 3}), (Lines{"p.", "p.", "F.", "Fp", "Fp", "FF"}));
}

TEST(BlockMask, LeavesOutGapsWithoutTheDocumentRule) {
  Plan plan = window_of(8, {{0, 0, 1}, {1, 0, 4}});
  plan.options.document_multiple = 4;
  EXPECT_EQ(lines_of(plan, {.document_mask = false}, {1, 1}),
            (Lines{"F.......", ".F......", "..F.....", "...F....", "F...F...", "F...FF..", "F...FFF.",
                   "F...FFFF"}));
}

// What the lists must say, by looking at every cell.
std::string classify(const std::vector<std::vector<bool>>& mask, std::uint32_t query_block, BlockSize block) {
  const auto length = static_cast<std::uint32_t>(mask.size());
  std::string line;
  for (std::uint32_t begin = 0; begin < length; begin += block.keys) {
    std::uint32_t allowed = 0;
    for (std::uint32_t q = query_block * block.queries; q < (query_block + 1) * block.queries; ++q) {
      for (std::uint32_t k = begin; k < begin + block.keys; ++k) {
        if (q < length && k < length && mask[q][k]) ++allowed;
      }
    }
    line += allowed == block.queries * block.keys ? 'F' : allowed > 0 ? 'p' : '.';
  }
  return line;
}

TEST(BlockMask, AgreesWithEveryCellOfRandomWindows) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
    const MaskExample example(random);
    const Plan& plan = example.example.plan;
    const BlockSize block{1 + static_cast<std::uint32_t>(random() % 9),
                          1 + static_cast<std::uint32_t>(random() % 9)};
    SCOPED_TRACE(example.example.description + std::to_string(block.queries) + "x" +
                 std::to_string(block.keys));
    Lines expected;
    for (std::uint64_t w = 0; w < plan.window_count(); ++w) {
      const auto mask = example.mask(w);
      for (std::uint32_t row = 0; row * block.queries < mask.size(); ++row) {
        expected.push_back(classify(mask, row, block));
      }
    }
    EXPECT_EQ(lines_of(plan, example.options, block), expected);

    const Result<BlockCounts> counts = count_blocks(plan, {0, plan.window_count()}, example.options, block);
    ASSERT_TRUE(counts);
    std::string all;
    for (const std::string& line : expected) all += line;
    EXPECT_EQ(counts->full, static_cast<std::uint64_t>(std::count(all.begin(), all.end(), 'F')));
    EXPECT_EQ(counts->partial, static_cast<std::uint64_t>(std::count(all.begin(), all.end(), 'p')));
    EXPECT_EQ(counts->skipped, static_cast<std::uint64_t>(std::count(all.begin(), all.end(), '.')));
    EXPECT_EQ(counts->total(), all.size());
  }
}

TEST(BlockMask, CountsTheBlocksOfALongWindow) {
  const Result<BlockCounts> counts = count_blocks(window_of(131'072, {{0, 0, 131'072}}), {0, 1});
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->full, 1023u * 1024 / 2);
  EXPECT_EQ(counts->partial, 1024u);
  EXPECT_EQ(counts->skipped, 1023u * 1024 / 2);
}

TEST(BlockMask, RefusesBadArguments) {
  const Plan plan = window_of(4, {{1, 0, 3}});
  const std::vector<std::uint32_t> one_prefix{1};
  EXPECT_EQ(block_mask(plan, {0, 2}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(block_mask(plan, {0, 1}, {}, {0, 1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(block_mask(plan, {0, 1}, {}, {1, 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(block_mask(plan, {0, 1}, {.sliding_window = 0}).error().code, ErrorCode::invalid_option);
  EXPECT_EQ(block_mask(plan, {0, 1}, {.prefix_lengths = one_prefix}).error().code,
            ErrorCode::length_mismatch);
  EXPECT_EQ(count_blocks(plan, {0, 1}, {}, {0, 0}).error().code, ErrorCode::invalid_argument);
}

TEST(BlockMask, RefusesListsThatAreTooLarge) {
  const Plan plan = window_of(131'072, {{0, 0, 5}});
  EXPECT_EQ(block_mask(plan, {0, 1}, {}, {1, 1}).error().code, ErrorCode::too_large);
  EXPECT_EQ(count_blocks(plan, {0, 1}, {}, {1, 1})->full, 131'072u + 10);
}

}  // namespace
}  // namespace packscope
