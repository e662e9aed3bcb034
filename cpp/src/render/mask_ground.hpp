// SPDX-License-Identifier: MIT
// What lies under the cells of a mask: blank, hatched where query or key is padding, with a line where a
// document begins.
#pragma once

#include <cstdint>
#include <vector>

#include "packscope/render.hpp"
#include "render/mask_rows.hpp"
#include "render/window_runs.hpp"

namespace packscope {

class MaskGround {
 public:
  MaskGround(const PlanOutline& outline, const MaskView& view, const MaskRows& rows, Canvas canvas);

  void paint_line(std::span<Pixel> out, std::uint32_t y) const;

 private:
  // One side of the mask in pixels.
  struct Side {
    std::uint32_t end = 0;              // where the window ends
    std::vector<std::uint8_t> padding;  // 1 where no document has a token
    std::vector<std::uint8_t> line;     // 1 where a document begins
  };
  static Side side(const RunContext& context, std::uint64_t window, const MaskRows& rows);
  [[nodiscard]] Pixel color(std::uint32_t x, std::uint32_t y) const;

  const Palette& colors_;
  Side queries_;
  Side keys_;
};

}  // namespace packscope
