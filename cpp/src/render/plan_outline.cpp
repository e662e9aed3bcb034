// SPDX-License-Identifier: MIT
// Made in one pass over the segments; sums of 64 windows keep ranges of many windows cheap.
#include <algorithm>

#include "packscope/render.hpp"
#include "render/axis.hpp"
#include "text.hpp"
#include "window_positions.hpp"

namespace packscope {
namespace {

constexpr std::uint64_t kGroup = 64;

void add(PlanOutline::Waste& to, const PlanOutline::Waste& more) {
  to.padding += more.padding;
  if (more.worst <= to.worst) return;
  to.worst = more.worst;
  to.worst_window = more.worst_window;
}

// 255 * the square root of padding / length, rounded down.
std::uint8_t waste_level(std::uint32_t padding, std::uint32_t length) {
  std::uint32_t level = 0;
  for (std::uint32_t step = 128; step > 0; step /= 2) {
    const std::uint64_t next = level + step;
    if (next * next * length <= std::uint64_t{padding} * 255 * 255) level += step;
  }
  return static_cast<std::uint8_t>(level);
}

}  // namespace

Result<Picture> make_picture(std::uint32_t width, std::uint32_t height) {
  if (width == 0 || height == 0 || width > kMaxPictureSide || height > kMaxPictureSide) {
    return invalid_argument("a picture of ", width, " x ", height,
                            " pixels: width and height must be from 1 to ", kMaxPictureSide);
  }
  if (std::uint64_t{width} * height > kMaxPicturePixels) {
    return Error{ErrorCode::too_large,
                 concat("a picture of ", width, " x ", height, " pixels is above the limit of ",
                        kMaxPicturePixels, " pixels; lower width or height")};
  }
  Picture picture{width, height, {}};
  picture.pixels.resize(static_cast<std::size_t>(std::uint64_t{width} * height));
  return picture;
}

Result<PlanOutline> PlanOutline::create(const Plan& plan) {
  const WindowRules rules(plan.options);
  PlanOutline outline;
  outline.plan_ = &plan;
  outline.window_length_ = rules.window;
  outline.begins_.resize(plan.segments.size());
  const std::size_t windows = static_cast<std::size_t>(plan.window_count());
  outline.tails_.resize(windows);
  outline.padding_.resize(windows);
  outline.levels_.resize(windows);
  std::vector<SegmentPositions> placed;
  for (std::size_t w = 0; w < windows; ++w) {
    if (Status status = place_window(plan, w, rules, placed); !status) return status.error();
    std::uint32_t* begin = outline.begins_.data() + plan.window_offsets[w];
    std::uint32_t tokens = 0;
    for (const SegmentPositions& segment : placed) {
      *begin++ = segment.begin;
      tokens += segment.length();
    }
    outline.tails_[w] = tail_begin(placed);
    outline.padding_[w] = rules.window - tokens;
    outline.levels_[w] = waste_level(rules.window - tokens, rules.window);
  }
  outline.sum_up();
  return outline;
}

void PlanOutline::sum_up() {
  for (std::uint64_t first = 0; first < window_count(); first += kGroup) {
    Waste group{0, 0, first};
    add_windows(group, {first, std::min(first + kGroup, window_count())});
    groups_.push_back(group);
  }
}

void PlanOutline::add_windows(Waste& waste, WindowRange windows) const {
  for (std::uint64_t w = windows.first; w < windows.last; ++w) {
    const std::uint32_t padding = padding_[static_cast<std::size_t>(w)];
    add(waste, {padding, padding, w});
  }
}

PlanOutline::Waste PlanOutline::waste(WindowRange windows) const {
  Waste waste{0, 0, windows.first};
  const std::uint64_t first_group = (windows.first + kGroup - 1) / kGroup;
  const std::uint64_t last_group = windows.last / kGroup;
  if (first_group >= last_group) {
    add_windows(waste, windows);
    return waste;
  }
  add_windows(waste, {windows.first, first_group * kGroup});
  for (std::uint64_t g = first_group; g < last_group; ++g) add(waste, groups_[static_cast<std::size_t>(g)]);
  add_windows(waste, {last_group * kGroup, windows.last});
  return waste;
}

std::optional<std::uint32_t> PlanOutline::segment_at(std::uint64_t window, std::uint32_t position) const {
  if (position >= tail(window)) return std::nullopt;
  const std::span<const std::uint32_t> starts = begins(window);
  const auto after = std::upper_bound(starts.begin(), starts.end(), position);
  return static_cast<std::uint32_t>(after - starts.begin() - 1);
}

}  // namespace packscope
