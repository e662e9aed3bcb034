// SPDX-License-Identifier: MIT
#include "plain_mask.hpp"

#include <algorithm>
#include <utility>

namespace packscope::cli {
namespace {

class PlainMask {
 public:
  PlainMask(const PlanOutline& outline, const MaskView& view, std::uint32_t side)
      : outline_(outline), view_(view), canvas_{{}, side, side / 2} {}

  // As in a picture, blocks that are smaller than a region are not told.
  Status find_blocks() {
    const BlockSize size{view_.block_queries, view_.block_keys};
    const std::uint64_t length = outline_.plan().options.context_length;
    const bool large = std::uint64_t{size.queries} * canvas_.height >= length &&
                       std::uint64_t{size.keys} * canvas_.width >= length;
    if (!large) return {};
    Result<BlockMask> blocks =
        block_mask(outline_.plan(), {view_.window, view_.window + 1}, view_.options, size);
    if (!blocks) return blocks.error();
    blocks_ = std::move(*blocks);
    return {};
  }

  [[nodiscard]] std::string text(std::string_view indent) const {
    std::string text;
    for (std::uint32_t y = 0; y < canvas_.height; ++y) {
      text += indent;
      for (std::uint32_t x = 0; x < canvas_.width; ++x) text += character(x, y);
      text += '\n';
    }
    return text;
  }

 private:
  [[nodiscard]] char character(std::uint32_t x, std::uint32_t y) const {
    const std::optional<MaskHit> hit = mask_hit(outline_, view_, canvas_, x, y);
    if (!hit) return '.';
    if (blocks_) return of_block(hit->query / view_.block_queries, hit->key / view_.block_keys);
    return attends(outline_.plan(), view_.window, hit->query, hit->key, view_.options) ? '#' : '.';
  }

  [[nodiscard]] char of_block(std::size_t row, std::uint32_t column) const {
    const auto lists = [&](const Buffer<std::int32_t>& indices, std::int32_t count) {
      const auto first = indices.begin() + static_cast<std::ptrdiff_t>(row * blocks_->key_blocks);
      return std::binary_search(first, first + count, static_cast<std::int32_t>(column));
    };
    if (lists(blocks_->full_kv_indices, blocks_->full_kv_num_blocks[row])) return '#';
    return lists(blocks_->kv_indices, blocks_->kv_num_blocks[row]) ? '+' : '.';
  }

  const PlanOutline& outline_;
  const MaskView& view_;
  Canvas canvas_;
  std::optional<BlockMask> blocks_;
};

}  // namespace

Result<std::string> plain_mask(const PlanOutline& outline, const MaskView& view, std::uint32_t side,
                               std::string_view indent) {
  PlainMask mask(outline, view, side);
  if (Status found = mask.find_blocks(); !found) return found.error();
  return mask.text(indent);
}

}  // namespace packscope::cli
