// SPDX-License-Identifier: MIT
#include "render/mask_ground.hpp"

#include "render/window_runs.hpp"

namespace packscope {
namespace {

constexpr std::uint32_t kLineFromWidth = 5;  // narrower documents would make a solid of their lines
constexpr std::uint32_t kHatchStep = 6;

}  // namespace

MaskGround::MaskGround(const PlanOutline& outline, const MaskView& view, const MaskRows& rows,
                       const Axis& queries, const Axis& keys)
    : colors_(palette(view.theme)),
      queries_(side(outline, view, rows, queries)),
      keys_(side(outline, view, rows, keys)) {}

MaskGround::Side MaskGround::side(const PlanOutline& outline, const MaskView& view, const MaskRows& rows,
                                  const Axis& axis) {
  Side side{axis.pixel_of(rows.tail()), axis.pixel_of(rows.length()),
            std::vector<std::uint8_t>(axis.pixels(), 0)};
  std::vector<PixelRun> runs;
  const WindowRules rules(outline.plan().options);
  window_runs(outline, rules, view.window, axis, palette(view.theme), runs);
  for (const PixelRun& run : runs) {
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
  if (x >= keys_.tail || y >= queries_.tail) {
    return (x + y) % kHatchStep == 0 ? colors_.hatch : colors_.padding;
  }
  return keys_.line[x] || queries_.line[y] ? colors_.boundary : colors_.blocked;
}

}  // namespace packscope
