// SPDX-License-Identifier: MIT
// One window as runs of pixels from left to right, the same for every line of its row.
#pragma once

#include <cstdint>
#include <vector>

#include "packscope/render.hpp"
#include "render/axis.hpp"
#include "window_rules.hpp"

namespace packscope {

// Pixels [begin, end) of one colour.
struct PixelRun {
  enum class Kind : std::uint8_t { tile, tiles, padding };  // `tiles`: several in one pixel
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Pixel color;
  Kind kind = Kind::tile;
  bool continues = false;  // the tile's left edge is seen and does not start its document
  bool last = false;       // nothing but the window's end follows
};

// The runs of `window`, into `runs`, whose memory is reused. Pixels outside the window have none. The work
// grows with the pixels, not with the segments.
void window_runs(const PlanOutline& outline, const WindowRules& rules, std::uint64_t window,
                 const Axis& positions, const Palette& colors, std::vector<PixelRun>& runs);

}  // namespace packscope
