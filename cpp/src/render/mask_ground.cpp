// SPDX-License-Identifier: MIT
#include "render/mask_ground.hpp"

#include <algorithm>

namespace packscope {
namespace {

constexpr std::uint32_t kLineFromWidth = 5;  // narrower documents would make a solid of their lines
constexpr std::uint32_t kHatchStep = 6;

}  // namespace

MaskGround::MaskGround(const PlanOutline& outline, const MaskView& view, const MaskRows& rows, Canvas canvas)
    : colors_(palette(view.theme)),
      queries_(side(RunContext(outline, view.queries, canvas.height, view.theme), view.window, rows)),
      keys_(side(RunContext(outline, view.keys, canvas.width, view.theme), view.window, rows)) {}

MaskGround::Side MaskGround::side(const RunContext& context, std::uint64_t window, const MaskRows& rows) {
  const Axis& axis = context.positions;
  Side side{axis.pixel_of(rows.length()), std::vector<std::uint8_t>(axis.pixels(), 0),
            std::vector<std::uint8_t>(axis.pixels(), 0)};
  std::vector<PixelRun> runs;
  window_runs(context, window, runs);
  for (const PixelRun& run : runs) {
    if (run.kind == PixelRun::Kind::padding) {
      std::fill_n(side.padding.data() + run.begin, run.end - run.begin, std::uint8_t{1});
    }
    const bool wide = run.kind == PixelRun::Kind::tile && run.end - run.begin >= kLineFromWidth;
    if (wide && run.begin > 0 && run.begin < side.end) side.line[run.begin] = 1;
  }
  return side;
}

void MaskGround::paint_line(std::span<Pixel> out, std::uint32_t y) const {
  for (std::uint32_t x = 0; x < out.size(); ++x) out[x] = color(x, y);
}

Pixel MaskGround::color(std::uint32_t x, std::uint32_t y) const {
  if (x >= keys_.end || y >= queries_.end) return colors_.page;
  if (keys_.padding[x] || queries_.padding[y]) {
    return (x + y) % kHatchStep == 0 ? colors_.hatch : colors_.padding;
  }
  return keys_.line[x] || queries_.line[y] ? colors_.boundary : colors_.blocked;
}

}  // namespace packscope
