// SPDX-License-Identifier: MIT
// One window as runs of pixels from left to right, the same for every line of its row.
#pragma once

#include <cstdint>
#include <vector>

#include "packscope/render.hpp"
#include "render/axis.hpp"
#include "render/blend.hpp"
#include "window_rules.hpp"

namespace packscope {

// Tiles and rows of so many pixels have room for a notch.
inline constexpr std::uint32_t kNotchFromSide = 7;

// Pixels [begin, end) of one colour.
struct PixelRun {
  enum class Kind : std::uint8_t { tile, tiles, padding };  // `tiles`: several in one pixel
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Pixel color;
  Kind kind = Kind::tile;
  bool continues = false;  // wide enough for a notch, and it does not start its document here
  bool last = false;       // nothing but the window's end follows
};

// What the windows of one picture have in common.
struct RunContext {
  RunContext(const PlanOutline& plan_outline, FineRange range, std::uint32_t pixels, Theme theme)
      : outline(plan_outline),
        rules(plan_outline.plan().options),
        positions(range, pixels),
        colors(palette(theme)),
        documents(colors),
        end_px(positions.pixel_of(rules.window)) {}

  const PlanOutline& outline;
  WindowRules rules;
  Axis positions;
  const Palette& colors;
  DocumentColors documents;
  std::uint32_t end_px;  // where windows end
};

// The runs of `window`, into `runs`, whose memory is reused. Pixels outside the window have none. The work
// grows with the pixels, not with the segments.
void window_runs(const RunContext& context, std::uint64_t window, std::vector<PixelRun>& runs);

}  // namespace packscope
