// SPDX-License-Identifier: MIT
// Pictures of a plan in RGBA, and which window, segment or mask cell stands at a pixel of them.
// Drawing takes integers only, so that every build makes the same bytes, and its work grows with the pixels,
// not with the documents.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "packscope/batch.hpp"
#include "packscope/buffer.hpp"
#include "packscope/masks.hpp"
#include "packscope/palette.hpp"
#include "packscope/plan.hpp"

namespace packscope {

// Where to draw

inline constexpr std::uint32_t kMaxPictureSide = 32768;
inline constexpr std::uint64_t kMaxPicturePixels = std::uint64_t{1} << 28;  // 1 GiB of them

// The caller's pixels, row-major from the top left, at least width * height of them.
struct Canvas {
  std::span<Pixel> pixels;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Buffer<Pixel> pixels;

  Canvas canvas() { return {pixels, width, height}; }
};

// Sides from 1 to kMaxPictureSide, kMaxPicturePixels in all. The pixels are not set: drawing sets them all.
Result<Picture> make_picture(std::uint32_t width, std::uint32_t height);

// What to draw

// The plan with what drawing asks for again and again: where segments begin, and how much of a window is
// padding. Made once a plan; takes 4 bytes a segment and 9 and a half a window. The plan must outlive it.
class PlanOutline {
 public:
  // Errors: a window that its segments overflow.
  static Result<PlanOutline> create(const Plan& plan);

  [[nodiscard]] const Plan& plan() const { return *plan_; }
  [[nodiscard]] std::uint64_t window_count() const { return padding_.size(); }
  // Positions of a window as stored: context_length, plus one with extra_token.
  [[nodiscard]] std::uint32_t window_length() const { return window_length_; }
  // The first position of each segment of the window.
  [[nodiscard]] std::span<const std::uint32_t> begins(std::uint64_t window) const {
    return std::span(begins_).subspan(plan_->window_offsets[window],
                                      plan_->window_offsets[window + 1] - plan_->window_offsets[window]);
  }
  // The segment that holds `position`, or whose gap does; none in the padding tail.
  [[nodiscard]] std::optional<std::uint32_t> segment_at(std::uint64_t window, std::uint32_t position) const;
  // Where the padding tail begins.
  [[nodiscard]] std::uint32_t tail(std::uint64_t window) const { return tails_[window]; }
  // Positions without a token.
  [[nodiscard]] std::uint32_t padding(std::uint64_t window) const { return padding_[window]; }

  struct Waste {
    std::uint64_t padding = 0;       // of all windows together
    std::uint32_t worst = 0;         // of the window with the most
    std::uint64_t worst_window = 0;  // the first such
  };
  // Over a range that is not empty, in time that grows with its size / 64.
  [[nodiscard]] Waste waste(WindowRange windows) const;

  // How strongly the padding of a window shows, from 0 for none to 255 for nothing else: by the square
  // root of its share, because most windows of a good plan have little and 1% must not look like none.
  [[nodiscard]] std::span<const std::uint8_t> waste_levels() const { return levels_; }

 private:
  void sum_up();
  void add_windows(Waste& waste, WindowRange windows) const;

  const Plan* plan_ = nullptr;
  std::uint32_t window_length_ = 0;
  Buffer<std::uint32_t> begins_;        // [S]
  std::vector<std::uint32_t> tails_;    // [W]
  std::vector<std::uint32_t> padding_;  // [W]
  std::vector<std::uint8_t> levels_;    // [W]
  std::vector<Waste> groups_;           // of 64 windows each
};

// A stretch of windows or positions in steps of 1 / kFine, so that a view may begin and end between two.
// Drawn over the whole side of a canvas. At least half of one long, and no end beyond 2^48.
inline constexpr std::uint64_t kFine = 65536;
struct FineRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
constexpr FineRange fine_range(std::uint64_t first, std::uint64_t last) {
  return {first * kFine, last * kFine};
}

// Field: a cell for each window, row by row, coloured by its share of padding

struct WindowFieldView {
  std::uint64_t first_window = 0;
  std::uint32_t cell_px = 8;           // side of a cell; from 4 on a gap of one pixel is part of it
  std::uint32_t windows_per_cell = 1;  // several take the colour halfway between their mean and their worst
  Theme theme = Theme::light;
};

// The largest cells, at most max_cell_px, with which all windows fit on a canvas.
WindowFieldView fit_field(std::uint64_t window_count, std::uint32_t width, std::uint32_t height,
                          std::uint32_t max_cell_px = 16, Theme theme = Theme::light);

Status draw_field(const PlanOutline& outline, const WindowFieldView& view, Canvas canvas);

// The window at a pixel; of several in one cell the worst. None beyond the last.
std::optional<std::uint64_t> field_hit(const PlanOutline& outline, const WindowFieldView& view,
                                       std::uint32_t canvas_width, std::uint32_t x, std::uint32_t y);

// Rows: a row for each window, a tile for each segment, hatch for padding. A notch marks a tile that does not
// start its document: the continuation of a split one, or what truncate_left kept.
//
// Where rows are thinner than a pixel, its colour is the mean of its windows, with the padding of the worst
// of them laid over it. Tiles that fall into one pixel show their mean.

struct RowsView {
  FineRange windows;    // from top to bottom
  FineRange positions;  // from left to right
  Theme theme = Theme::light;
};

Status draw_rows(const PlanOutline& outline, const RowsView& view, Canvas canvas);

struct RowsHit {
  std::uint64_t window = 0;              // of several in one pixel the worst
  std::uint32_t position = 0;            // at the middle of the pixel
  std::optional<std::uint32_t> segment;  // index in the window; none on padding
};
std::optional<RowsHit> rows_hit(const PlanOutline& outline, const RowsView& view, const Canvas& canvas,
                                std::uint32_t x, std::uint32_t y);

// Mask: which query (from top to bottom) may attend to which key (from left to right), in the colour of its
// document. Made from intervals, so any context_length will do.

struct MaskView {
  std::uint64_t window = 0;
  FineRange queries;
  FineRange keys;
  // 0: every query and key. Else blocks of so many queries by keys: full ones in their colour, partial
  // ones paler, skipped ones blank. Blocks smaller than a pixel are drawn query by query.
  std::uint32_t block_queries = 0;
  std::uint32_t block_keys = 0;
  MaskOptions options = {};
  Theme theme = Theme::light;
};

Status draw_mask(const PlanOutline& outline, const MaskView& view, Canvas canvas);

struct MaskHit {
  std::uint32_t query = 0;
  std::uint32_t key = 0;
};
std::optional<MaskHit> mask_hit(const PlanOutline& outline, const MaskView& view, const Canvas& canvas,
                                std::uint32_t x, std::uint32_t y);

}  // namespace packscope
