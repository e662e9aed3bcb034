// SPDX-License-Identifier: MIT
// One side of a canvas: which stretch of windows or positions a pixel shows, and back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "packscope/render.hpp"
#include "text.hpp"

namespace packscope {

class Axis {
 public:
  Axis(FineRange range, std::uint32_t pixels) : range_(range), pixels_(pixels), edges_(pixels + 1) {
    for (std::uint32_t p = 0; p <= pixels; ++p) edges_[p] = range.begin + span() * p / pixels;
  }

  [[nodiscard]] std::uint32_t pixels() const { return pixels_; }
  // Where pixel p begins.
  [[nodiscard]] std::uint64_t edge(std::uint32_t p) const { return edges_[p]; }
  // The pixel in which `fine` stands; `pixels` for everything beyond.
  [[nodiscard]] std::uint32_t pixel(std::uint64_t fine) const {
    if (fine <= range_.begin) return 0;
    if (fine >= range_.end) return pixels_;
    const auto p = static_cast<std::uint32_t>((fine - range_.begin) * pixels_ / span());
    return fine < edges_[p + 1] ? p : p + 1;  // edges are rounded down
  }
  // The same for what is known to stand in pixel p or to the right of it, mostly near.
  [[nodiscard]] std::uint32_t pixel_from(std::uint32_t p, std::uint64_t fine) const {
    for (const std::uint32_t near = std::min(p + 2, pixels_); p < near; ++p) {
      if (fine < edges_[p + 1]) return p;
    }
    return pixel(fine);
  }
  // The pixel of a whole window or position.
  [[nodiscard]] std::uint32_t pixel_of(std::uint64_t whole) const { return pixel(whole * kFine); }
  // Those that pixel p shows, in part or whole.
  [[nodiscard]] std::uint64_t first(std::uint32_t p) const { return edge(p) / kFine; }
  [[nodiscard]] std::uint64_t last(std::uint32_t p) const {
    return std::max(first(p) + 1, (edge(p + 1) + kFine - 1) / kFine);
  }
  // The one at the middle of pixel p.
  [[nodiscard]] std::uint64_t middle(std::uint32_t p) const {
    return (edge(p) + (edge(p + 1) - edge(p)) / 2) / kFine;
  }
  // Pixels that a stretch takes, rounded down.
  [[nodiscard]] std::uint32_t pixels_in(std::uint64_t fine) const {
    return static_cast<std::uint32_t>(fine * pixels_ / span());
  }
  // Whether `count` of them take at least `pixels` pixels.
  [[nodiscard]] bool at_least(std::uint64_t count, std::uint32_t pixels) const {
    return count * kFine * pixels_ >= span() * pixels;
  }

 private:
  [[nodiscard]] std::uint64_t span() const { return range_.end - range_.begin; }

  FineRange range_;
  std::uint32_t pixels_;
  std::vector<std::uint64_t> edges_;  // [pixels + 1]
};

inline Status check_canvas(const Canvas& canvas) {
  if (canvas.width == 0 || canvas.height == 0 || canvas.width > kMaxPictureSide ||
      canvas.height > kMaxPictureSide) {
    return invalid_argument("a picture of ", canvas.width, " x ", canvas.height,
                            " pixels: width and height must be from 1 to ", kMaxPictureSide);
  }
  const std::uint64_t pixels = std::uint64_t{canvas.width} * canvas.height;
  if (canvas.pixels.size() >= pixels) return {};
  return invalid_argument("a canvas of ", canvas.width, " x ", canvas.height, " takes ", pixels,
                          " pixels, but ", canvas.pixels.size(), " are given");
}

// Longer ranges would overflow when a picture side multiplies them; in shorter ones pixels would be empty.
inline Status check_range(std::string_view name, FineRange range) {
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 48;
  const bool long_enough = range.begin < range.end && range.end - range.begin >= kMaxPictureSide;
  if (long_enough && range.end <= kLongest) return {};
  return invalid_argument("the range of ", name, " [", range.begin, ", ", range.end, ") in steps of 1/",
                          kFine, " must be ", kMaxPictureSide, " steps or longer and end at ", kLongest,
                          " or before");
}

}  // namespace packscope
