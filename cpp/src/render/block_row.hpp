// SPDX-License-Identifier: MIT
// One row of blocks of a mask: which are full, partial or skipped.
#pragma once

#include <cstdint>
#include <vector>

#include "render/mask_rows.hpp"

namespace packscope {

enum class BlockKind : std::uint8_t { skipped, partial, full };

class BlockRow {
 public:
  BlockRow(const MaskRows& rows, std::uint32_t block_queries, std::uint32_t block_keys)
      : rows_(rows), block_queries_(block_queries), block_keys_(block_keys) {
    const std::size_t count = (std::uint64_t{rows.length()} + block_keys - 1) / block_keys;
    touched_.resize(count + 1);
    covered_.resize(count + 1);
    kinds_.resize(count);
  }

  // The kinds of the blocks of queries [row * block_queries, + block_queries). Valid until the next call.
  const std::vector<BlockKind>& classify(std::uint32_t row);

 private:
  void add(std::uint32_t begin, std::uint32_t end);
  void add_query(std::uint32_t q);

  const MaskRows& rows_;
  std::uint32_t block_queries_;
  std::uint32_t block_keys_;
  // Per block, how many queries more or fewer than in the block before touch it and cover it.
  std::vector<std::int64_t> touched_;
  std::vector<std::int64_t> covered_;
  std::vector<BlockKind> kinds_;
  std::optional<MaskRows::Found> current_;  // the segment of the last query, which mostly is the next one's
  KeyInterval pending_;                     // neighbouring intervals of one query are one
};

}  // namespace packscope
