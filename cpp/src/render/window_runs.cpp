// SPDX-License-Identifier: MIT
#include "render/window_runs.hpp"

#include <algorithm>

namespace packscope {
namespace {

constexpr std::size_t kOneByOne = 128;

class RunMaker {
 public:
  RunMaker(const RunContext& context, std::uint64_t window, std::vector<PixelRun>& runs)
      : context_(context),
        axis_(context.positions),
        segments_(context.outline.plan().window(window)),
        begins_(context.outline.begins(window)),
        window_(window),
        tail_(tokens_end()),
        runs_(runs) {}

  void make() {
    runs_.clear();
    std::uint32_t x = 0;
    for (std::size_t i = first_visible(); i < segments_.size();) {
      x = axis_.pixel_from(x, begins_[i] * kFine);
      if (x >= axis_.pixels()) break;
      const std::size_t next = first_beyond(i, x);
      if (next - i > 1) {
        add_tiles(i, next, x);
      } else {
        add_tile(i, x);
      }
      i = next;
      x = runs_.back().end;
    }
    add_tail();
    if (!runs_.empty()) runs_.back().last = runs_.back().end == context_.end_px;
  }

 private:
  [[nodiscard]] std::uint32_t tokens_end() const {
    if (context_.rules.multiple == 1 || segments_.empty()) return context_.outline.tail(window_);
    return begins_.back() + segments_.back().length;
  }

  [[nodiscard]] std::size_t first_visible() const {
    const std::uint64_t position = axis_.first(0);
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), position);
    return after == begins_.begin() ? 0 : static_cast<std::size_t>(after - begins_.begin() - 1);
  }

  // The first segment after i that begins to the right of pixel x. A few are passed one by one, as memory
  // likes it; then steps double, so that a pixel of n tiles costs log n.
  [[nodiscard]] std::size_t first_beyond(std::size_t i, std::uint32_t x) const {
    const std::uint64_t limit = (axis_.edge(x + 1) + kFine - 1) / kFine;
    const std::size_t near = std::min(i + kOneByOne, begins_.size());
    std::size_t low = i + 1;
    while (low < near && begins_[low] < limit) ++low;
    if (low < near || low >= begins_.size() || begins_[low] >= limit) return low;
    std::size_t step = kOneByOne;
    while (low + step < begins_.size() && begins_[low + step] < limit) {
      low += step;
      step *= 2;
    }
    const auto last = begins_.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, begins_.size()));
    const auto found = std::lower_bound(begins_.begin() + static_cast<std::ptrdiff_t>(low), last, limit);
    return static_cast<std::size_t>(found - begins_.begin());
  }

  void add(PixelRun run) {
    if (run.begin < run.end) runs_.push_back(run);
  }

  // Where the tokens of segment i end. Segments themselves are read only where that cannot be told without.
  [[nodiscard]] std::uint64_t end_of(std::size_t i) const {
    if (context_.rules.multiple > 1) return begins_[i] + segments_[i].length;
    return next_begin(i);
  }
  [[nodiscard]] std::uint64_t next_begin(std::size_t i) const {
    return i + 1 < begins_.size() ? begins_[i + 1] : tail_;
  }

  void add_tile(std::size_t i, std::uint32_t x) {
    const std::uint32_t end = std::max(x + 1, axis_.pixel_from(x, end_of(i) * kFine));
    const bool starts_here = begins_[i] * kFine >= axis_.edge(0);
    const bool continues = end - x >= kNotchFromSide && starts_here && segments_[i].document_offset > 0;
    add({x, end, context_.documents.of(window_, i), PixelRun::Kind::tile, continues});
    add_gap(i, end);
  }

  // Segments [first, next) all begin in pixel x; the last of them may go on beyond it.
  void add_tiles(std::size_t first, std::size_t next, std::uint32_t x) {
    const std::uint32_t end = axis_.pixel_from(x, end_of(next - 1) * kFine);
    // A tile that goes on is seen anyway: the pixel belongs to those that end in it.
    const std::size_t ending = end > x + 1 ? next - 1 : next;
    add({x, x + 1, context_.documents.mean(window_, first, ending), PixelRun::Kind::tiles});
    add({x + 1, end, context_.documents.of(window_, next - 1)});
    add_gap(next - 1, std::max(x + 1, end));
  }

  // What document_multiple leaves between segments.
  void add_gap(std::size_t i, std::uint32_t x) {
    if (context_.rules.multiple == 1 || i + 1 == begins_.size()) return;
    add({x, axis_.pixel_from(x, next_begin(i) * kFine), context_.colors.padding, PixelRun::Kind::padding});
  }

  // At least a pixel where there is any padding, even if it takes that of a tile.
  void add_tail() {
    const bool in_view =
        tail_ < context_.rules.window && context_.end_px > 0 && tail_ * kFine < axis_.edge(axis_.pixels());
    if (!in_view) return;
    const std::uint32_t begin = std::min(axis_.pixel_of(tail_), context_.end_px - 1);
    while (!runs_.empty() && runs_.back().begin >= begin) runs_.pop_back();
    if (!runs_.empty()) runs_.back().end = std::min(runs_.back().end, begin);
    add({begin, context_.end_px, context_.colors.padding, PixelRun::Kind::padding});
  }

  const RunContext& context_;
  const Axis& axis_;
  std::span<const Segment> segments_;
  std::span<const std::uint32_t> begins_;
  std::uint64_t window_;
  std::uint32_t tail_;  // where the last token ends, so that what document_multiple leaves is part of it
  std::vector<PixelRun>& runs_;
};

}  // namespace

void window_runs(const RunContext& context, std::uint64_t window, std::vector<PixelRun>& runs) {
  RunMaker(context, window, runs).make();
}

}  // namespace packscope
