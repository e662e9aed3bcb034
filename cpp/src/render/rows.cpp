// SPDX-License-Identifier: MIT
// Rows of tiles. A row of a pixel or more is drawn run by run; thinner ones are averaged.
#include <algorithm>

#include "render/window_runs.hpp"

namespace packscope {
namespace {

constexpr std::uint32_t kHatchStep = 6;
// Up to so many windows in one line of pixels, their tiles are averaged; of more, or of tiles smaller than
// pixels, the mean of all colours is as good and costs nothing.
constexpr std::uint64_t kAveragedWindows = 4;
constexpr std::uint32_t kWorstOpacity = 190;

// Blank pixels between rows, and their finer details, take room that small rows do not have.
std::uint32_t row_gap(std::uint32_t height) { return height >= 12 ? 2 : height >= 3 ? 1 : 0; }
constexpr std::uint32_t kGapFromWidth = 3;
constexpr std::uint32_t kSoftCornersFromHeight = 10;
constexpr std::uint32_t kSoftCornersFromWidth = 5;

class RowsPainter {
 public:
  RowsPainter(const PlanOutline& outline, const RowsView& view, Canvas canvas)
      : outline_(outline),
        colors_(palette(view.theme)),
        canvas_(canvas),
        windows_(view.windows, canvas.height),
        context_(outline, view.positions, canvas.width, view.theme) {}

  void paint() {
    const bool thin = !windows_.at_least(1, 1);
    for (std::uint32_t y = 0; y < canvas_.height;) {
      const std::uint64_t window = thin ? windows_.first(y) : windows_.middle(y);
      if (window >= outline_.window_count()) {
        std::fill(line(y), line(canvas_.height), colors_.page);
        return;
      }
      if (thin) {
        paint_thin(line(y), {window, std::min(windows_.last(y), outline_.window_count())});
        ++y;
      } else {
        y = paint_row(window, y);
      }
    }
  }

 private:
  Pixel* line(std::uint32_t y) { return canvas_.pixels.data() + std::size_t{y} * canvas_.width; }

  // Paints the row that begins at line y, or is cut there by the top of the canvas. Returns where it ends.
  std::uint32_t paint_row(std::uint64_t window, std::uint32_t y) {
    window_runs(context_, window, runs_);
    std::uint32_t end = std::max(y + 1, windows_.pixel_of(window + 1));
    if (end < canvas_.height && windows_.middle(end) == window) ++end;
    const std::uint64_t top = windows_.edge(0);
    const std::uint64_t bottom = windows_.edge(canvas_.height);
    const std::uint64_t begins = window * kFine;
    // What of the row is out of sight counts too: its details must not move while it is scrolled.
    const std::uint32_t above = begins < top ? windows_.pixels_in(top - begins) : 0;
    const std::uint32_t below = begins + kFine > bottom ? windows_.pixels_in(begins + kFine - bottom) : 0;
    const std::uint32_t height = above + (end - y) + below;
    const std::uint32_t inside = height - row_gap(height);
    for (std::uint32_t i = y; i < end; ++i) {
      const std::uint32_t at = above + i - y;
      if (at < inside) {
        paint_line(line(i), at, inside);
      } else {
        std::fill(line(i), line(i + 1), colors_.page);
      }
    }
    return end;
  }

  // Line `at` of a row of `height`.
  void paint_line(Pixel* out, std::uint32_t at, std::uint32_t height) {
    std::uint32_t x = 0;
    for (const PixelRun& run : runs_) {
      std::fill(out + x, out + run.begin, colors_.page);
      x = run.end;
      if (run.kind == PixelRun::Kind::padding) {
        paint_hatch(out, run, at);
      } else {
        paint_tile(out, run, at, height);
      }
    }
    std::fill(out + x, out + canvas_.width, colors_.page);
  }

  void paint_hatch(Pixel* out, const PixelRun& run, std::uint32_t at) {
    std::fill(out + run.begin, out + run.end, colors_.padding);
    const std::uint32_t phase = (run.begin + at) % kHatchStep;
    for (std::uint32_t x = run.begin + (kHatchStep - phase) % kHatchStep; x < run.end; x += kHatchStep) {
      out[x] = colors_.hatch;
    }
  }

  void paint_tile(Pixel* out, const PixelRun& run, std::uint32_t at, std::uint32_t height) {
    const std::uint32_t width = run.end - run.begin;
    const bool gap = !run.last && width >= kGapFromWidth && run.end < canvas_.width;
    const std::uint32_t end = run.end - (gap ? 1 : 0);
    std::fill(out + run.begin, out + end, run.color);
    if (gap) out[end] = colors_.page;
    if (run.kind != PixelRun::Kind::tile || width < kSoftCornersFromWidth) return;
    if (height >= kSoftCornersFromHeight && (at == 0 || at == height - 1)) {
      out[run.begin] = out[end - 1] = mix(run.color, colors_.page, 128);
    }
    if (run.continues && height >= kNotchFromSide) {
      std::fill(out + run.begin, out + run.begin + notch_width(at, height), colors_.page);
    }
  }

  // A triangle cut into the left edge, pointing right.
  static std::uint32_t notch_width(std::uint32_t at, std::uint32_t height) {
    const std::uint32_t depth = std::min(5u, height / 3);
    const std::uint32_t middle = (height - 1) / 2;
    const std::uint32_t away = at > middle ? at - middle : middle - at;
    return away < depth ? depth - away : 0;
  }

  void paint_thin(Pixel* out, WindowRange windows) {
    const PlanOutline::Waste waste = outline_.waste(windows);
    const std::uint64_t segments =
        outline_.plan().window_offsets[windows.last] - outline_.plan().window_offsets[windows.first];
    const bool few = windows.size() <= kAveragedWindows && segments <= 2 * std::uint64_t{canvas_.width};
    if (windows.size() == 1 || few) {
      paint_average(out, windows);
    } else {
      paint_mean(out, windows, waste);
    }
    if (windows.size() > 1) paint_worst(out, waste);
  }

  // Colours change at the ends of runs only: between them neither sums nor means are computed again.
  void paint_average(Pixel* out, WindowRange windows) {
    changes_.assign(canvas_.width + 1, 0);  // a tile may end in the pixel that the window ends in
    for (std::uint64_t w = windows.first; w < windows.last; ++w) {
      window_runs(context_, w, runs_);
      for (const PixelRun& run : runs_) {
        changes_[run.begin] += spread(run.color);
        changes_[run.end] -= spread(run.color);
      }
    }
    const std::uint32_t inverse = 65536 / static_cast<std::uint32_t>(windows.size()) + 1;
    std::uint64_t sum = 0;
    Pixel mean = mean_of(sum, inverse);
    for (std::uint32_t x = 0; x < context_.end_px; ++x) {
      if (changes_[x] != 0) mean = mean_of(sum += changes_[x], inverse);
      out[x] = mean;
    }
    std::fill(out + context_.end_px, out + canvas_.width, colors_.page);
  }

  // A colour in the lanes of one number, so that adding takes one step. Differences wrap, and sums of them
  // are right.
  static std::uint64_t spread(Pixel color) {
    return color.red | std::uint64_t{color.green} << 16 | std::uint64_t{color.blue} << 32;
  }
  // Multiplying by 65536 / count, rounded up, divides sums of so few colours exactly.
  static Pixel mean_of(std::uint64_t sum, std::uint32_t inverse) {
    const auto lane = [&](std::uint32_t shift) {
      return static_cast<std::uint8_t>(static_cast<std::uint32_t>(sum >> shift & 0xffff) * inverse >> 16);
    };
    return {lane(0), lane(16), lane(32), 255};
  }

  void paint_mean(Pixel* out, WindowRange windows, const PlanOutline::Waste& waste) {
    const std::uint32_t padding = static_cast<std::uint32_t>(waste.padding / windows.size());
    const std::uint32_t fill_px = context_.positions.pixel_of(context_.rules.window - padding);
    std::fill(out, out + fill_px, colors_.document_mean);
    std::fill(out + fill_px, out + context_.end_px, colors_.padding);
    std::fill(out + context_.end_px, out + canvas_.width, colors_.page);
  }

  void paint_worst(Pixel* out, const PlanOutline::Waste& waste) {
    const std::uint32_t begin_px = context_.positions.pixel_of(context_.rules.window - waste.worst);
    for (std::uint32_t x = begin_px; x < context_.end_px; ++x) {
      out[x] = mix(out[x], colors_.padding, kWorstOpacity);
    }
  }

  const PlanOutline& outline_;
  const Palette& colors_;
  Canvas canvas_;
  Axis windows_;
  RunContext context_;
  std::vector<PixelRun> runs_;
  std::vector<std::uint64_t> changes_;  // [width + 1]: how the sum of colours differs from the pixel before
};

Status check_view(const RowsView& view) {
  if (Status status = check_range("windows", view.windows); !status) return status;
  return check_range("positions", view.positions);
}

}  // namespace

Status draw_rows(const PlanOutline& outline, const RowsView& view, Canvas canvas) {
  if (Status status = check_canvas(canvas); !status) return status;
  if (Status status = check_view(view); !status) return status;
  RowsPainter(outline, view, canvas).paint();
  return {};
}

std::optional<RowsHit> rows_hit(const PlanOutline& outline, const RowsView& view, const Canvas& canvas,
                                std::uint32_t x, std::uint32_t y) {
  if (x >= canvas.width || y >= canvas.height || !check_view(view)) return std::nullopt;
  const Axis windows(view.windows, canvas.height);
  const std::uint64_t first = windows.at_least(1, 1) ? windows.middle(y) : windows.first(y);
  const std::uint64_t last = windows.at_least(1, 1) ? first + 1 : windows.last(y);
  const std::uint64_t position = Axis(view.positions, canvas.width).middle(x);
  if (first >= outline.window_count() || position >= outline.window_length()) return std::nullopt;
  const std::uint64_t window = outline.waste({first, std::min(last, outline.window_count())}).worst_window;
  const std::uint32_t at = static_cast<std::uint32_t>(position);
  std::optional<std::uint32_t> segment = outline.segment_at(window, at);
  const bool in_gap =
      segment && at - outline.begins(window)[*segment] >= outline.plan().window(window)[*segment].length;
  return RowsHit{window, at, in_gap ? std::nullopt : segment};
}

}  // namespace packscope
