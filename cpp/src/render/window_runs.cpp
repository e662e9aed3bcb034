// SPDX-License-Identifier: MIT
#include "render/window_runs.hpp"

#include <algorithm>

#include "render/blend.hpp"
#include "window_positions.hpp"

namespace packscope {
namespace {

class RunMaker {
 public:
  RunMaker(const PlanOutline& outline, const WindowRules& rules, std::uint64_t window, const Axis& positions,
           const Palette& colors, std::vector<PixelRun>& runs)
      : segments_(outline.plan().window(window)),
        begins_(outline.begins(window)),
        window_(window),
        tail_(outline.tail(window)),
        rules_(rules),
        axis_(positions),
        colors_(colors),
        runs_(runs),
        end_px_(positions.pixel_of(rules.window)) {}

  void make() {
    runs_.clear();
    for (std::size_t i = first_visible(); i < segments_.size();) {
      const std::uint32_t x = axis_.pixel_of(begins_[i]);
      if (x >= axis_.pixels()) break;
      const std::size_t next = first_beyond(i, x);
      if (next - i > 1) {
        add_tiles(i, next, x);
      } else {
        add_tile(i, x);
      }
      i = next;
    }
    add_tail();
    if (!runs_.empty()) runs_.back().last = runs_.back().end == end_px_;
  }

 private:
  [[nodiscard]] std::size_t first_visible() const {
    const std::uint64_t position = axis_.first(0);
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), position);
    return after == begins_.begin() ? 0 : static_cast<std::size_t>(after - begins_.begin() - 1);
  }

  // The first segment after i that begins to the right of pixel x. Steps double until they pass it, so
  // that a pixel of n tiles costs log n.
  [[nodiscard]] std::size_t first_beyond(std::size_t i, std::uint32_t x) const {
    const std::uint64_t edge = axis_.edge(x + 1);
    const auto inside = [&](std::size_t at) { return at < begins_.size() && begins_[at] * kFine < edge; };
    std::size_t step = 1;
    std::size_t low = i;
    while (inside(low + step)) {
      low += step;
      step *= 2;
    }
    std::size_t high = low + step;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (inside(middle) ? low : high) = middle;
    }
    return high;
  }

  void add(PixelRun run) {
    if (run.begin < run.end) runs_.push_back(run);
  }

  [[nodiscard]] Pixel color_of(std::size_t i) const { return colors_.documents[document_color(window_, i)]; }

  void add_tile(std::size_t i, std::uint32_t x) {
    const SegmentPositions placed = place_segment(segments_[i], begins_[i], rules_);
    const std::uint32_t end = std::max(x + 1, axis_.pixel_of(placed.end));
    const bool starts_here = begins_[i] * kFine >= axis_.edge(0);
    add({x, end, color_of(i), PixelRun::Kind::tile, starts_here && placed.document_offset > 0});
    add_gap(placed, end);
  }

  // Segments [first, next) all begin in pixel x; the last of them may go on beyond it.
  void add_tiles(std::size_t first, std::size_t next, std::uint32_t x) {
    const SegmentPositions last = place_segment(segments_[next - 1], begins_[next - 1], rules_);
    const std::uint32_t end = axis_.pixel_of(last.end);
    // A tile that goes on is seen anyway: the pixel belongs to those that end in it.
    const std::size_t ending = end > x + 1 ? next - 1 : next;
    add({x, x + 1, mean_document_color(colors_, window_, first, ending), PixelRun::Kind::tiles});
    add({x + 1, end, color_of(next - 1)});
    add_gap(last, std::max(x + 1, end));
  }

  void add_gap(const SegmentPositions& placed, std::uint32_t x) {
    if (placed.next == placed.end || placed.next == tail_) return;
    add({x, axis_.pixel_of(placed.next), colors_.padding, PixelRun::Kind::padding});
  }

  // At least a pixel where there is any, even if it takes that of a tile.
  void add_tail() {
    if (tail_ >= rules_.window || axis_.edge(0) >= std::uint64_t{rules_.window} * kFine) return;
    if (end_px_ == 0 || tail_ * kFine >= axis_.edge(axis_.pixels())) return;
    const std::uint32_t begin = std::min(axis_.pixel_of(tail_), end_px_ - 1);
    while (!runs_.empty() && runs_.back().begin >= begin) runs_.pop_back();
    if (!runs_.empty()) runs_.back().end = std::min(runs_.back().end, begin);
    add({begin, end_px_, colors_.padding, PixelRun::Kind::padding});
  }

  std::span<const Segment> segments_;
  std::span<const std::uint32_t> begins_;
  std::uint64_t window_;
  std::uint32_t tail_;
  const WindowRules& rules_;
  const Axis& axis_;
  const Palette& colors_;
  std::vector<PixelRun>& runs_;
  std::uint32_t end_px_;
};

}  // namespace

void window_runs(const PlanOutline& outline, const WindowRules& rules, std::uint64_t window,
                 const Axis& positions, const Palette& colors, std::vector<PixelRun>& runs) {
  RunMaker(outline, rules, window, positions, colors, runs).make();
}

}  // namespace packscope
