// SPDX-License-Identifier: MIT
// The mask, query by query or block by block, from the intervals of keys.
#include <algorithm>

#include "render/blend.hpp"
#include "render/block_row.hpp"
#include "render/mask_ground.hpp"

namespace packscope {
namespace {

constexpr std::uint32_t kWhole = 255;           // the weight of a pixel that one query covers whole
constexpr std::uint64_t kQueriesPerLine = 4;    // of more, so many stand for all
constexpr std::uint32_t kLeastOpacity = 110;    // what covers a sliver of its pixel stays visible
constexpr std::uint32_t kPartialOpacity = 120;  // of a block
constexpr std::uint32_t kBlockGapFromSide = 4;
constexpr std::uint32_t kCellLinesFromSide = 7;
constexpr std::uint32_t kCellLineOpacity = 70;

class MaskPainter {
 public:
  MaskPainter(const PlanOutline& outline, const MaskView& view, Canvas canvas)
      : outline_(outline),
        view_(view),
        colors_(palette(view.theme)),
        documents_(colors_),
        canvas_(canvas),
        queries_(view.queries, canvas.height),
        keys_(view.keys, canvas.width),
        rows_(outline, view.window, view.options),
        ground_(outline, view, rows_, canvas),
        sees_gaps_(keys_.at_least(outline.plan().options.document_multiple, 1)) {}

  void paint() {
    for (std::uint32_t y = 0; y < canvas_.height; ++y) ground_.paint_line(line(y), y);
    const bool blocks = view_.block_queries > 0 && queries_.at_least(view_.block_queries, 1) &&
                        keys_.at_least(view_.block_keys, 1);
    if (blocks) {
      paint_blocks();
    } else {
      paint_cells();
    }
  }

 private:
  std::span<Pixel> line(std::uint32_t y) {
    return canvas_.pixels.subspan(std::size_t{y} * canvas_.width, canvas_.width);
  }

  // Query by query

  void paint_cells() {
    sums_.resize(canvas_.width);
    for (std::uint32_t y = 0; y < canvas_.height && queries_.first(y) < rows_.length(); ++y) paint_line(y);
    if (view_.block_queries == 0) paint_cell_lines();
  }

  void paint_line(std::uint32_t y) {
    std::fill(sums_.begin(), sums_.end(), ColorSum{});
    const std::uint64_t first = queries_.first(y);
    const std::uint64_t count = std::min<std::uint64_t>(queries_.last(y), rows_.length()) - first;
    const std::uint64_t taken = std::min(count, kQueriesPerLine);
    for (std::uint64_t i = 0; i < taken; ++i) {
      add_query(static_cast<std::uint32_t>(first + (2 * i + 1) * count / (2 * taken)));
    }
    const std::uint32_t whole = kWhole * static_cast<std::uint32_t>(taken);
    const std::span<Pixel> out = line(y);
    ColorSum known;
    Pixel color;
    std::uint32_t opacity = 0;
    for (std::uint32_t x = 0; x < canvas_.width; ++x) {
      const ColorSum& sum = sums_[x];
      if (sum.weight == 0) continue;
      if (sum != known) {  // most are as their neighbour is
        known = sum;
        color = sum.mean();
        opacity = std::max(kLeastOpacity, sum.weight * 255 / whole);
      }
      out[x] = opacity == 255 ? color : mix(out[x], color, opacity);
    }
  }

  void add_query(std::uint32_t q) {
    const std::optional<MaskRows::Found> found = rows_.find(q);
    if (!found) {
      if (rows_.padding_sees_itself()) add(q, q + 1, colors_.document_mean);
      return;
    }
    const SegmentPositions& own = found->placed;
    const KeyInterval keys = rows_.keys(q, own);
    add_leak({keys.begin, std::min(keys.end, own.begin)});
    add(std::max(keys.begin, own.begin), std::min(keys.end, own.end),
        documents_.of(view_.window, found->index));
    add_leak({std::max(keys.begin, own.next), keys.end});
  }

  void add_leak(KeyInterval keys) {
    keys.begin = std::max(
        keys.begin, static_cast<std::uint32_t>(std::min<std::uint64_t>(keys_.first(0), rows_.length())));
    keys.end = static_cast<std::uint32_t>(std::min<std::uint64_t>(keys.end, keys_.last(canvas_.width - 1)));
    if (!sees_gaps_) {
      add(keys.begin, keys.end, colors_.leak);
      return;
    }
    rows_.without_gaps(keys, [&](std::uint32_t begin, std::uint32_t end) { add(begin, end, colors_.leak); });
  }

  // Keys [begin, end) of one query, each pixel weighted by what of it they cover.
  void add(std::uint32_t begin, std::uint32_t end, Pixel color) {
    const std::uint64_t first = std::max(begin * kFine, keys_.edge(0));
    const std::uint64_t last = std::min(end * kFine, keys_.edge(canvas_.width));
    if (first >= last) return;
    const std::uint32_t first_px = keys_.pixel(first);
    const std::uint32_t last_px = std::min(keys_.pixel(last), canvas_.width - 1);
    add_partly(first_px, first, last, color);
    for (std::uint32_t x = first_px + 1; x < last_px; ++x) sums_[x].add(color, kWhole);
    if (last_px > first_px) add_partly(last_px, first, last, color);
  }

  void add_partly(std::uint32_t x, std::uint64_t first, std::uint64_t last, Pixel color) {
    const std::uint64_t left = keys_.edge(x);
    const std::uint64_t right = keys_.edge(x + 1);
    const std::uint64_t covered_left = std::max(left, first);
    const std::uint64_t covered_right = std::min(right, last);
    if (covered_left >= covered_right) return;
    const std::uint64_t weight = (covered_right - covered_left) * kWhole / (right - left);
    sums_[x].add(color, std::max(1u, static_cast<std::uint32_t>(weight)));
  }

  // Large cells get lines between them, so that single queries and keys can be counted.
  void paint_cell_lines() {
    if (!queries_.at_least(1, kCellLinesFromSide) || !keys_.at_least(1, kCellLinesFromSide)) return;
    for (std::uint32_t y = 0; y < queries_.pixel_of(rows_.length()); ++y) {
      const bool row_line = y == 0 || queries_.first(y) != queries_.first(y - 1);
      const std::span<Pixel> out = line(y);
      for (std::uint32_t x = 0; x < keys_.pixel_of(rows_.length()); ++x) {
        const bool column_line = x == 0 || keys_.first(x) != keys_.first(x - 1);
        if (row_line || column_line) out[x] = mix(out[x], colors_.page, kCellLineOpacity);
      }
    }
  }

  // Block by block

  void paint_blocks() {
    BlockRow blocks(rows_, view_.block_queries, view_.block_keys);
    const std::uint64_t end = std::min<std::uint64_t>(rows_.length(), queries_.last(canvas_.height - 1));
    for (std::uint64_t row = queries_.first(0) / view_.block_queries; row * view_.block_queries < end;
         ++row) {
      const std::vector<BlockKind>& kinds = blocks.classify(static_cast<std::uint32_t>(row));
      for (std::size_t column = 0; column < kinds.size(); ++column) {
        if (kinds[column] != BlockKind::skipped) paint_block(row, column, kinds[column]);
      }
    }
  }

  void paint_block(std::uint64_t row, std::uint64_t column, BlockKind kind) {
    const std::uint64_t query = row * view_.block_queries;
    const std::uint64_t key = column * view_.block_keys;
    const std::uint64_t query_end = std::min<std::uint64_t>(query + view_.block_queries, rows_.length());
    const std::uint64_t key_end = std::min<std::uint64_t>(key + view_.block_keys, rows_.length());
    const std::uint32_t left = keys_.pixel_of(key);
    const std::uint32_t top = queries_.pixel_of(query);
    const std::uint32_t right = without_gap(left, keys_.pixel_of(key_end));
    const std::uint32_t bottom = without_gap(top, queries_.pixel_of(query_end));
    Pixel color = block_color({static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(query_end)},
                              {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key_end)});
    if (kind == BlockKind::partial) color = mix(colors_.blocked, color, kPartialOpacity);
    for (std::uint32_t y = top; y < bottom; ++y) {
      const std::span<Pixel> out = line(y);
      std::fill(out.begin() + left, out.begin() + right, color);
    }
  }

  static std::uint32_t without_gap(std::uint32_t begin, std::uint32_t end) {
    return end - begin >= kBlockGapFromSide ? end - 1 : end;
  }

  // On the diagonal the documents that queries and keys share; off it the one that reaches from one to
  // the other, or a leak where there is none.
  [[nodiscard]] Pixel block_color(KeyInterval queries, KeyInterval keys) const {
    const std::uint32_t later = std::max(queries.begin, keys.begin);
    const std::uint32_t earlier_end = std::min(queries.end, keys.end);
    if (later >= rows_.tail()) return colors_.document_mean;
    const std::optional<MaskRows::Found> found = rows_.find(later);  // none in a gap
    if (later >= earlier_end) {
      const bool reaches = found && found->placed.begin < earlier_end;
      return reaches ? documents_.of(view_.window, found->index) : colors_.leak;
    }
    const std::uint32_t first = *outline_.segment_at(view_.window, later) + (found ? 0 : 1);
    const std::uint32_t last = *outline_.segment_at(view_.window, std::min(earlier_end, rows_.tail()) - 1);
    return first <= last ? documents_.mean(view_.window, first, last + 1) : colors_.document_mean;
  }

  const PlanOutline& outline_;
  const MaskView& view_;
  const Palette& colors_;
  DocumentColors documents_;
  Canvas canvas_;
  Axis queries_;
  Axis keys_;
  MaskRows rows_;
  MaskGround ground_;
  bool sees_gaps_;  // gaps of document_multiple may be a pixel wide
  std::vector<ColorSum> sums_;
};

Status check_view(const PlanOutline& outline, const MaskView& view) {
  if (view.window >= outline.window_count()) {
    return invalid_argument("window ", view.window, " does not exist: the plan has ", outline.window_count(),
                            " windows");
  }
  if (view.options.sliding_window == 0u) {
    return invalid_option("sliding_window is 0: it counts the token itself, so it must be 1 or more");
  }
  if ((view.block_queries == 0) != (view.block_keys == 0)) {
    return invalid_argument("blocks of ", view.block_queries, " queries by ", view.block_keys,
                            " keys: give two numbers of 1 or more, or two zeros for none");
  }
  if (Status status = check_range("queries", view.queries); !status) return status;
  return check_range("keys", view.keys);
}

}  // namespace

Status draw_mask(const PlanOutline& outline, const MaskView& view, Canvas canvas) {
  if (Status status = check_canvas(canvas); !status) return status;
  if (Status status = check_view(outline, view); !status) return status;
  MaskPainter(outline, view, canvas).paint();
  return {};
}

std::optional<MaskHit> mask_hit(const PlanOutline& outline, const MaskView& view, const Canvas& canvas,
                                std::uint32_t x, std::uint32_t y) {
  if (x >= canvas.width || y >= canvas.height || !check_view(outline, view)) return std::nullopt;
  const std::uint64_t query = Axis(view.queries, canvas.height).middle(y);
  const std::uint64_t key = Axis(view.keys, canvas.width).middle(x);
  const std::uint32_t length = outline.plan().options.context_length;
  if (query >= length || key >= length) return std::nullopt;
  return MaskHit{static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(key)};
}

}  // namespace packscope
