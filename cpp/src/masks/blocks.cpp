// SPDX-License-Identifier: MIT
// Which blocks of a mask are full, partial or skipped, counted from intervals: a query adds its interval to
// differences over key blocks, so a row of blocks costs its queries and the blocks they see.
#include "masks/masked_window.hpp"
#include "text.hpp"

namespace packscope {
namespace {

std::uint32_t blocks_of(std::uint32_t length, std::uint32_t block) {
  return length / block + (length % block == 0 ? 0 : 1);
}

// What the queries of one row of blocks see of a key block.
struct KeyBlock {
  // Real queries that see some or all of it, as differences to the key block before.
  std::int32_t some_delta = 0;
  std::int32_t all_delta = 0;
  bool padding_sees_itself = false;
  std::uint32_t real_positions = 0;  // of the window, set once
};

class BlockRow {
 public:
  BlockRow(BlockSize block, std::uint32_t key_blocks)
      : block_(block), key_blocks_(key_blocks), blocks_(std::size_t{key_blocks} + 1), first_(key_blocks) {}

  void start_window(std::span<const SegmentPositions> segments) {
    for (KeyBlock& block : blocks_) block.real_positions = 0;
    for (const SegmentPositions& segment : segments) {
      for (std::uint32_t begin = segment.begin; begin < segment.end;) {
        const std::uint32_t index = begin / block_.keys;
        const auto end = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(segment.end, std::uint64_t{index + 1} * block_.keys));
        blocks_[index].real_positions += end - begin;
        begin = end;
      }
    }
  }

  void add(const QueryKeys& at) {
    if (at.keys.begin == at.keys.end) return;
    const std::uint32_t first = at.keys.begin / block_.keys;
    const std::uint32_t last = (at.keys.end - 1) / block_.keys;
    first_ = std::min(first_, first);
    end_ = std::max(end_, last + 1);
    if (at.padding) {
      blocks_[first].padding_sees_itself = true;
      return;
    }
    ++blocks_[first].some_delta;
    --blocks_[last + 1].some_delta;
    const std::uint32_t first_whole = first + (at.keys.begin % block_.keys == 0 ? 0 : 1);
    const std::uint32_t end_whole = at.keys.end / block_.keys;
    if (first_whole >= end_whole) return;
    ++blocks_[first_whole].all_delta;
    --blocks_[end_whole].all_delta;
  }

  // Calls visit(key_block, full) for each that is not skipped, ascending, and forgets the queries.
  template <class Visit>
  void finish(Visit visit) {
    std::int64_t some = 0;
    std::int64_t all = 0;
    for (std::uint32_t index = first_; index < end_; ++index) {
      KeyBlock& block = blocks_[index];
      some += block.some_delta;
      all += block.all_delta;
      const bool seen = (some > 0 && block.real_positions > 0) || block.padding_sees_itself;
      if (seen) visit(index, is_full(block, all));
      block.some_delta = block.all_delta = 0;
      block.padding_sees_itself = false;
    }
    if (first_ < end_) blocks_[end_].some_delta = blocks_[end_].all_delta = 0;
    first_ = key_blocks_;
    end_ = 0;
  }

 private:
  // A block beyond the window never has enough queries or enough real keys.
  [[nodiscard]] bool is_full(const KeyBlock& block, std::int64_t queries_that_see_all) const {
    if (block.padding_sees_itself) return block_.queries == 1 && block_.keys == 1;
    return queries_that_see_all == block_.queries && block.real_positions == block_.keys;
  }

  BlockSize block_;
  std::uint32_t key_blocks_;
  std::vector<KeyBlock> blocks_;  // [key_blocks + 1]
  std::uint32_t first_;           // the key blocks that any query sees part of: [first_, end_)
  std::uint32_t end_ = 0;
};

Status check_block_size(BlockSize block) {
  if (block.queries != 0 && block.keys != 0) return {};
  return invalid_argument("blocks of ", block.queries, " queries by ", block.keys,
                          " keys: both must be 1 or more");
}

// Calls visit(row, key_block, full) for each block that is not skipped, in order; `row` counts query
// blocks through all windows.
template <class Visit>
Status for_each_block(const Plan& plan, WindowRange windows, const MaskOptions& options, BlockSize block,
                      Visit visit) {
  MaskedWindow placed(options);
  BlockRow blocks(block, blocks_of(plan.options.context_length, block.keys));
  std::uint64_t row = 0;
  for (std::uint64_t window = windows.first; window < windows.last; ++window) {
    if (Status status = placed.place(plan, window); !status) return status;
    blocks.start_window(placed.segments());
    std::uint32_t left = block.queries;
    const auto finish_row = [&] {
      blocks.finish([&](std::uint32_t key_block, bool full) { visit(row, key_block, full); });
      ++row;
      left = block.queries;
    };
    placed.for_each_query([&](const QueryKeys& at) {
      blocks.add(at);
      if (--left == 0) finish_row();
    });
    if (left != block.queries) finish_row();
  }
  return {};
}

Status check(const Plan& plan, WindowRange windows, const MaskOptions& options, BlockSize block) {
  if (Status status = MaskedWindow::check(plan, windows, options); !status) return status;
  return check_block_size(block);
}

Status check_entries(std::uint64_t windows, const BlockMask& mask, BlockSize block) {
  const std::uint64_t blocks = std::uint64_t{mask.query_blocks} * mask.key_blocks;
  if (windows <= kMaxBlockMaskEntries / blocks) return {};
  return Error{
      ErrorCode::too_large,
      concat("block lists of ", windows, " windows with ", mask.query_blocks, " x ", mask.key_blocks,
             " blocks of ", block.queries, " x ", block.keys, " exceed the limit of ", kMaxBlockMaskEntries,
             " entries: ask for larger blocks or fewer windows, or use key_intervals()")};
}

}  // namespace

Result<BlockMask> block_mask(const Plan& plan, WindowRange windows, const MaskOptions& options,
                             BlockSize block) {
  if (Status status = check(plan, windows, options, block); !status) return status.error();
  BlockMask mask;
  mask.query_blocks = blocks_of(plan.options.context_length, block.queries);
  mask.key_blocks = blocks_of(plan.options.context_length, block.keys);
  if (Status status = check_entries(windows.size(), mask, block); !status) return status.error();
  const std::size_t rows = static_cast<std::size_t>(windows.size()) * mask.query_blocks;
  mask.kv_num_blocks.resize(rows);
  mask.full_kv_num_blocks.resize(rows);
  mask.kv_indices.resize(rows * mask.key_blocks);
  mask.full_kv_indices.resize(rows * mask.key_blocks);
  const auto append = [&](std::uint64_t row, std::uint32_t key_block, bool full) {
    const auto at = static_cast<std::size_t>(row);
    std::int32_t& count = full ? mask.full_kv_num_blocks[at] : mask.kv_num_blocks[at];
    Buffer<std::int32_t>& indices = full ? mask.full_kv_indices : mask.kv_indices;
    indices[at * mask.key_blocks + static_cast<std::size_t>(count)] = static_cast<std::int32_t>(key_block);
    ++count;
  };
  if (Status status = for_each_block(plan, windows, options, block, append); !status) return status.error();
  return mask;
}

Result<BlockCounts> count_blocks(const Plan& plan, WindowRange windows, const MaskOptions& options,
                                 BlockSize block) {
  if (Status status = check(plan, windows, options, block); !status) return status.error();
  BlockCounts counts;
  const auto count = [&](std::uint64_t, std::uint32_t, bool full) {
    ++(full ? counts.full : counts.partial);
  };
  if (Status status = for_each_block(plan, windows, options, block, count); !status) return status.error();
  const std::uint32_t length = plan.options.context_length;
  const std::uint64_t blocks =
      std::uint64_t{blocks_of(length, block.queries)} * blocks_of(length, block.keys);
  counts.skipped = windows.size() * blocks - counts.full - counts.partial;
  return counts;
}

}  // namespace packscope
