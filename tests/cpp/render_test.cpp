// SPDX-License-Identifier: MIT
// Pictures: what must be seen in them, and random ones against slow, obvious references pixel by pixel.
#include "packscope/render.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cpp/random_case.hpp"
#include "packscope/pack.hpp"

namespace packscope {
namespace {

using packscope_tests::CaseMaker;
using packscope_tests::RandomCase;

const Palette& kColors = palette(Theme::light);

Plan plan_of(std::uint32_t context_length, const std::vector<std::vector<std::uint32_t>>& windows) {
  Plan plan;
  plan.options.context_length = context_length;
  std::uint32_t document = 0;
  for (const std::vector<std::uint32_t>& lengths : windows) {
    for (const std::uint32_t length : lengths) plan.segments.push_back({document++, 0, length});
    plan.window_offsets.push_back(plan.segments.size());
  }
  return plan;
}

// A random plan of a few windows, with gaps, split documents and an extra token now and then.
Plan random_plan(CaseMaker& maker, std::uint32_t context_length) {
  while (true) {
    const auto algorithm = static_cast<Algorithm>(maker.number(0, 9));
    RandomCase made = maker.make(algorithm, context_length);
    Result<Plan> plan = pack(made.documents(), made.options);
    if (plan && plan->window_count() > 0) return *std::move(plan);
  }
}

PlanOutline outline_of(const Plan& plan) { return PlanOutline::create(plan).value(); }

struct Rows {
  Picture picture;
  RowsView view;
  [[nodiscard]] Pixel at(std::uint32_t x, std::uint32_t y) const {
    return picture.pixels[std::size_t{y} * picture.width + x];
  }
};

Rows rows_of(const Plan& plan, std::uint32_t width, std::uint32_t height) {
  const PlanOutline outline = outline_of(plan);
  Rows rows{make_picture(width, height).value(),
            {fine_range(0, plan.window_count()), fine_range(0, outline.window_length()), Theme::light}};
  EXPECT_TRUE(draw_rows(outline, rows.view, rows.picture.canvas()));
  return rows;
}

Pixel document(std::uint64_t window, std::uint64_t index) {
  return kColors.documents[document_color(window, index)];
}

bool is_padding(Pixel pixel) { return pixel == kColors.padding || pixel == kColors.hatch; }

std::uint32_t brightness(Pixel pixel) { return std::uint32_t{pixel.red} + pixel.green + pixel.blue; }

TEST(Rows, DrawATileForEachSegmentAndHatchForPadding) {
  const Rows rows = rows_of(plan_of(40, {{10, 20}, {40}}), 40, 2);
  EXPECT_EQ(rows.at(0, 0), document(0, 0));
  EXPECT_EQ(rows.at(8, 0), document(0, 0));
  EXPECT_EQ(rows.at(9, 0), kColors.page);
  EXPECT_EQ(rows.at(10, 0), document(0, 1));
  EXPECT_EQ(rows.at(28, 0), document(0, 1));
  for (std::uint32_t x = 30; x < 40; ++x) EXPECT_TRUE(is_padding(rows.at(x, 0))) << x;
  EXPECT_EQ(rows.at(39, 1), document(1, 0));
}

TEST(Rows, ATileIsNeverThinnerThanAPixel) {
  EXPECT_EQ(rows_of(plan_of(10000, {{5000, 1, 4999}}), 100, 1).at(50, 0), document(0, 1));
}

TEST(Rows, OneTokenOfPaddingIsSeen) {
  EXPECT_TRUE(is_padding(rows_of(plan_of(10000, {{9999}}), 100, 1).at(99, 0)));
}

TEST(Rows, ManyTilesInOnePixelShowTheirMean) {
  const Rows rows = rows_of(plan_of(100000, {std::vector<std::uint32_t>(100000, 1)}), 100, 1);
  for (std::uint32_t x = 0; x < 100; ++x) EXPECT_EQ(rows.at(x, 0), kColors.document_mean) << x;
}

TEST(Rows, ANotchMarksAContinuation) {
  Plan plan = plan_of(40, {{40}, {40}});
  plan.segments[1] = {0, 40, 40};
  const Rows rows = rows_of(plan, 40, 40);
  EXPECT_EQ(rows.at(0, 8), document(0, 0));
  EXPECT_EQ(rows.at(0, 28), kColors.page);
  EXPECT_EQ(rows.at(8, 28), document(1, 0));
}

TEST(Rows, TheWorstOfAThousandWindowsIsSeenInOnePixel) {
  std::vector<std::vector<std::uint32_t>> windows(10000, {64, 64});
  windows[4321] = {10};
  const Rows rows = rows_of(plan_of(128, windows), 128, 10);
  EXPECT_GT(brightness(rows.at(100, 4)), brightness(rows.at(100, 3)) + 100);
  EXPECT_EQ(rows.at(100, 5), rows.at(100, 3));
  EXPECT_EQ(rows.at(2, 4), rows.at(2, 3));
}

TEST(Rows, ThinRowsShowTheMeanOfTheirWindows) {
  const Rows rows = rows_of(plan_of(8, {{8}, {8}}), 8, 1);
  const Pixel first = document(0, 0);
  const Pixel second = document(1, 0);
  EXPECT_EQ(rows.at(4, 0).red, (first.red + second.red) / 2);
  EXPECT_EQ(rows.at(4, 0).blue, (first.blue + second.blue) / 2);
}

// The last tile stands in the pixel in which the windows end, of which the picture shows more.
TEST(Rows, ThinRowsMayEndInsideAPixel) {
  const Plan plan = plan_of(8, {{7, 1}, {8}});
  const PlanOutline outline = outline_of(plan);
  Picture picture = make_picture(3, 1).value();
  const RowsView view{fine_range(0, 2), fine_range(0, 20), Theme::light};
  ASSERT_TRUE(draw_rows(outline, view, picture.canvas()));
  EXPECT_EQ(picture.pixels[2], kColors.page);
}

TEST(Rows, LeaveThePageWhereThereIsNoWindow) {
  const Plan plan = plan_of(8, {{8}});
  const PlanOutline outline = outline_of(plan);
  Picture picture = make_picture(16, 2).value();
  ASSERT_TRUE(draw_rows(outline, {fine_range(0, 2), fine_range(0, 16), Theme::light}, picture.canvas()));
  EXPECT_EQ(picture.pixels[7], document(0, 0));
  EXPECT_EQ(picture.pixels[8], kColors.page);
  EXPECT_EQ(picture.pixels[16], kColors.page);
}

TEST(Rows, ZoomedInShowTheSamePositionsAsTheWhole) {
  const Plan plan = plan_of(64, {{20, 3, 30}, {64}});
  const PlanOutline outline = outline_of(plan);
  const Rows whole = rows_of(plan, 64, 2);
  Picture part = make_picture(20, 2).value();
  ASSERT_TRUE(draw_rows(outline, {fine_range(0, 2), fine_range(20, 40), Theme::light}, part.canvas()));
  for (std::uint32_t x = 0; x < 20; ++x) {
    EXPECT_EQ(part.pixels[x], whole.at(20 + x, 0)) << x;
    EXPECT_EQ(part.pixels[20 + x], whole.at(20 + x, 1)) << x;
  }
}

TEST(Rows, ScrolledByHalfARowLookTheSame) {
  Plan plan = plan_of(40, {{30}, {40}, {10, 20}, {40}});
  plan.segments[1] = {0, 30, 40};
  const PlanOutline outline = outline_of(plan);
  const Rows whole = rows_of(plan, 40, 80);
  Picture part = make_picture(40, 40).value();
  const RowsView view{{kFine / 2, kFine / 2 + 2 * kFine}, fine_range(0, 40), Theme::light};
  ASSERT_TRUE(draw_rows(outline, view, part.canvas()));
  for (std::uint32_t y = 0; y < 40; ++y) {
    for (std::uint32_t x = 0; x < 40; ++x) {
      EXPECT_EQ(part.pixels[y * 40 + x], whole.at(x, y + 10)) << x << ", " << y;
    }
  }
}

TEST(Rows, RowsOfABrokenHeightAreDrawnOnce) {
  const Plan plan = plan_of(8, {{8}, {8}, {8}, {8}});
  const Rows rows = rows_of(plan, 8, 62);
  std::vector<Pixel> seen;
  for (std::uint32_t y = 0; y < 62; ++y) {
    const Pixel pixel = rows.at(3, y);
    if (pixel != kColors.page && (seen.empty() || pixel != seen.back())) seen.push_back(pixel);
    const std::uint64_t window = rows_hit(outline_of(plan), rows.view, {{}, 8, 62}, 3, y)->window;
    EXPECT_TRUE(pixel == kColors.page || pixel == document(window, 0)) << y;
    if (y > 0 && pixel != kColors.page && rows.at(3, y - 1) == kColors.page) {
      EXPECT_EQ(seen.size(), window + 1) << "a row goes on after its gap at " << y;
    }
  }
  EXPECT_EQ(seen, (std::vector<Pixel>{document(0, 0), document(1, 0), document(2, 0), document(3, 0)}));
  const auto gaps = std::count_if(rows.picture.pixels.begin(), rows.picture.pixels.end(),
                                  [](Pixel pixel) { return pixel == kColors.page; });
  EXPECT_EQ(gaps, 4 * 2 * 8);
}

// Where every tile is a pixel or more, a pixel shows what stands there. Where several begin in one pixel, it
// shows their mean: what it must be is restated here from the positions alone.
class RowReference {
 public:
  RowReference(const Plan& plan, const PlanOutline& outline, std::uint64_t window, std::uint32_t width)
      : plan_(plan), outline_(outline), window_(window), width_(width) {}

  [[nodiscard]] bool allows(std::uint32_t x, Pixel pixel) const {
    if (pixel == kColors.page) return ends_near(x);
    if (is_padding(pixel)) return any_padding(x);
    const std::vector<Pixel> allowed = choices(x);
    return std::any_of(allowed.begin(), allowed.end(), [&](Pixel one) { return near(one, pixel); });
  }

 private:
  [[nodiscard]] std::uint64_t first(std::uint32_t x) const {
    return std::uint64_t{outline_.window_length()} * kFine * x / width_;
  }
  // A tile gives its last pixel to the gap behind it.
  [[nodiscard]] bool ends_near(std::uint32_t x) const {
    const std::span<const std::uint32_t> begins = outline_.begins(window_);
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::uint64_t end = (std::uint64_t{begins[i]} + plan_.window(window_)[i].length) * kFine;
      if (end > first(x) && end < first(x + 2)) return true;
    }
    return false;
  }
  [[nodiscard]] bool any_padding(std::uint32_t x) const {
    const std::span<const Segment> segments = plan_.window(window_);
    for (std::uint64_t p = first(x) / kFine; p * kFine < first(x + 1) && p < outline_.window_length(); ++p) {
      const auto index = outline_.segment_at(window_, static_cast<std::uint32_t>(p));
      if (!index || p - outline_.begins(window_)[*index] >= segments[*index].length) return true;
    }
    return false;
  }
  // Every mean of neighbouring documents that have a token in the pixel.
  [[nodiscard]] std::vector<Pixel> choices(std::uint32_t x) const {
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < plan_.window(window_).size(); ++i) {
      const std::uint64_t begin = outline_.begins(window_)[i] * kFine;
      const std::uint64_t end = begin + plan_.window(window_)[i].length * kFine;
      if (begin < first(x + 1) && end > first(x)) seen.push_back(i);
    }
    std::vector<Pixel> means;
    for (std::size_t from = 0; from < seen.size(); ++from) {
      std::uint32_t red = 0;
      std::uint32_t green = 0;
      std::uint32_t blue = 0;
      for (std::size_t to = from; to < seen.size(); ++to) {
        const Pixel color = document(window_, seen[to]);
        red += color.red;
        green += color.green;
        blue += color.blue;
        const auto count = static_cast<std::uint32_t>(to - from + 1);
        means.push_back({static_cast<std::uint8_t>(red / count), static_cast<std::uint8_t>(green / count),
                         static_cast<std::uint8_t>(blue / count), 255});
      }
    }
    return means;
  }
  // Rounding may differ by one; beyond seven documents the mean is that of all colours.
  static bool near(Pixel a, Pixel b) {
    const auto close = [](int left, int right) { return std::abs(left - right) <= 1; };
    return b == kColors.document_mean ||
           (close(a.red, b.red) && close(a.green, b.green) && close(a.blue, b.blue));
  }

  const Plan& plan_;
  const PlanOutline& outline_;
  std::uint64_t window_;
  std::uint32_t width_;
};

TEST(Rows, EveryPixelShowsSomethingThatStandsThere) {
  CaseMaker maker(1);
  for (int round = 0; round < 300; ++round) {
    const Plan plan = random_plan(maker, maker.number(1, 80));
    const PlanOutline outline = outline_of(plan);
    const std::uint32_t width = maker.number(1, 200);
    Picture picture = make_picture(width, 1).value();
    const std::uint64_t window = maker.number(0, static_cast<std::uint32_t>(plan.window_count()) - 1);
    const RowsView view{fine_range(window, window + 1), fine_range(0, outline.window_length()), Theme::light};
    ASSERT_TRUE(draw_rows(outline, view, picture.canvas()));
    const RowReference reference(plan, outline, window, width);
    for (std::uint32_t x = 0; x < width; ++x) {
      ASSERT_TRUE(reference.allows(x, picture.pixels[x])) << "round " << round << ", pixel " << x;
    }
  }
}

TEST(Rows, HitsTellWhatIsDrawn) {
  const Plan plan = plan_of(40, {{10, 20}, {40}});
  const PlanOutline outline = outline_of(plan);
  const Rows rows = rows_of(plan, 80, 20);
  const Canvas canvas{{}, 80, 20};
  const std::optional<RowsHit> hit = rows_hit(outline, rows.view, canvas, 41, 5);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->window, 0u);
  EXPECT_EQ(hit->position, 20u);
  EXPECT_EQ(hit->segment, 1u);
  EXPECT_EQ(rows_hit(outline, rows.view, canvas, 79, 5)->segment, std::nullopt);
  EXPECT_EQ(rows_hit(outline, rows.view, canvas, 79, 15)->window, 1u);
  EXPECT_FALSE(rows_hit(outline, rows.view, canvas, 80, 5));
  const Canvas line{{}, 80, 1};
  EXPECT_EQ(rows_hit(outline, rows.view, line, 0, 0)->window, 0u) << "the worst of the two";
}

TEST(Field, ColoursAWindowByItsPadding) {
  const Plan plan = plan_of(100, {{100}, {50}, {}});
  const PlanOutline outline = outline_of(plan);
  Picture picture = make_picture(3, 1).value();
  ASSERT_TRUE(draw_field(outline, {.cell_px = 1}, picture.canvas()));
  EXPECT_EQ(picture.pixels[0], kColors.waste[0]);
  EXPECT_EQ(picture.pixels[1], kColors.waste[180]);  // the square root of a half
  EXPECT_EQ(picture.pixels[2], kColors.waste[255]);
}

TEST(Field, CellsHaveGapsAndEndWithTheWindows) {
  const Plan plan = plan_of(10, {{10}, {5}, {10}});
  const PlanOutline outline = outline_of(plan);
  const WindowFieldView view{.cell_px = 5};
  Picture picture = make_picture(11, 10).value();
  ASSERT_TRUE(draw_field(outline, view, picture.canvas()));
  EXPECT_EQ(picture.pixels[3], kColors.waste[0]);
  EXPECT_EQ(picture.pixels[4], kColors.page);
  EXPECT_EQ(picture.pixels[10], kColors.page);
  EXPECT_EQ(picture.pixels[11 * 4], kColors.page);
  EXPECT_EQ(picture.pixels[11 * 5], kColors.waste[0]);
  EXPECT_EQ(picture.pixels[11 * 5 + 5], kColors.page);
  EXPECT_EQ(field_hit(outline, view, 11, 5, 0), 1u);
  EXPECT_EQ(field_hit(outline, view, 11, 0, 9), 2u);
  EXPECT_EQ(field_hit(outline, view, 11, 5, 9), std::nullopt);
  EXPECT_EQ(field_hit(outline, view, 11, 10, 0), std::nullopt);
}

TEST(Field, TheWorstOfManyWindowsIsSeen) {
  std::vector<std::vector<std::uint32_t>> windows(1000, {10});
  windows[777] = {1};
  const Plan plan = plan_of(10, windows);
  const PlanOutline outline = outline_of(plan);
  const WindowFieldView view = fit_field(1000, 5, 2);
  EXPECT_EQ(view.windows_per_cell, 100u);
  Picture picture = make_picture(5, 2).value();
  ASSERT_TRUE(draw_field(outline, view, picture.canvas()));
  EXPECT_EQ(picture.pixels[6], kColors.waste[0]);
  EXPECT_EQ(picture.pixels[7], kColors.waste[(2 + 241) / 2]);
  EXPECT_EQ(field_hit(outline, view, 5, 2, 1), 777u);
}

TEST(Field, FitsEveryWindow) {
  for (const std::uint64_t count : {1u, 7u, 100u, 4096u, 1000000u}) {
    const WindowFieldView view = fit_field(count, 64, 48);
    EXPECT_GE(std::uint64_t{64 / view.cell_px} * (48 / view.cell_px) * view.windows_per_cell, count);
    EXPECT_TRUE(view.cell_px == 1 || view.windows_per_cell == 1);
  }
}

TEST(PlanOutline, SumsPaddingOfAnyRange) {
  CaseMaker maker(2);
  std::vector<std::vector<std::uint32_t>> windows;
  for (int i = 0; i < 500; ++i) windows.push_back({maker.number(1, 1000)});
  const Plan plan = plan_of(1000, windows);
  const PlanOutline outline = outline_of(plan);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t first = maker.number(0, 499);
    const std::uint64_t last = first + maker.number(1, static_cast<std::uint32_t>(500 - first));
    PlanOutline::Waste expected{0, 0, first};
    for (std::uint64_t w = first; w < last; ++w) {
      const std::uint32_t padding = 1000 - windows[w][0];
      expected.padding += padding;
      if (padding <= expected.worst) continue;
      expected.worst = padding;
      expected.worst_window = w;
    }
    const PlanOutline::Waste found = outline.waste({first, last});
    EXPECT_EQ(found.padding, expected.padding);
    EXPECT_EQ(found.worst, expected.worst);
    EXPECT_EQ(found.worst_window, expected.worst_window);
  }
}

TEST(PlanOutline, RefusesAWindowThatOverflows) {
  const Result<PlanOutline> outline = PlanOutline::create(plan_of(4, {{3, 2}}));
  ASSERT_FALSE(outline);
  EXPECT_EQ(outline.error().code, ErrorCode::invalid_plan);
}

MaskOptions random_mask(CaseMaker& maker) {
  MaskOptions options;
  if (maker.one_in(2)) options.mask = Mask::bidirectional;
  if (maker.one_in(3)) options.document_mask = false;
  if (maker.one_in(3)) options.sliding_window = maker.number(1, 12);
  if (maker.one_in(2)) options.padding_queries = PaddingQueries::masked;
  return options;
}

// The document at a position, or none in padding and gaps.
std::optional<std::uint32_t> token_at(const PlanOutline& outline, std::uint64_t window,
                                      std::uint32_t position) {
  const auto index = outline.segment_at(window, position);
  if (!index) return std::nullopt;
  const std::uint32_t offset = position - outline.begins(window)[*index];
  return offset < outline.plan().window(window)[*index].length ? index : std::nullopt;
}

Pixel cell_color(const PlanOutline& outline, std::uint64_t window, std::uint32_t q, std::uint32_t k) {
  const auto query = token_at(outline, window, q);
  if (!query) return kColors.document_mean;
  return query == token_at(outline, window, k) ? document(window, *query) : kColors.leak;
}

bool is_ground(Pixel pixel) {
  return is_padding(pixel) || pixel == kColors.blocked || pixel == kColors.boundary || pixel == kColors.page;
}

TEST(MaskPicture, EveryCellIsWhatAttendsSays) {
  CaseMaker maker(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t length = maker.number(1, 40);
    const Plan plan = random_plan(maker, length);
    const PlanOutline outline = outline_of(plan);
    const MaskView view{.window = maker.number(0, static_cast<std::uint32_t>(plan.window_count()) - 1),
                        .queries = fine_range(0, length),
                        .keys = fine_range(0, length),
                        .options = random_mask(maker)};
    Picture picture = make_picture(length, length).value();
    ASSERT_TRUE(draw_mask(outline, view, picture.canvas()));
    for (std::uint32_t q = 0; q < length; ++q) {
      for (std::uint32_t k = 0; k < length; ++k) {
        const Pixel pixel = picture.pixels[std::size_t{q} * length + k];
        if (attends(plan, view.window, q, k, view.options)) {
          ASSERT_EQ(pixel, cell_color(outline, view.window, q, k)) << round << ": " << q << ", " << k;
        } else {
          ASSERT_TRUE(is_ground(pixel)) << round << ": " << q << ", " << k;
        }
      }
    }
  }
}

enum class Block { skipped, partial, full };

Block block_of(const Plan& plan, const MaskView& view, std::uint32_t row, std::uint32_t column) {
  std::uint64_t cells = 0;
  for (std::uint32_t q = row * view.block_queries; q < (row + 1) * view.block_queries; ++q) {
    for (std::uint32_t k = column * view.block_keys; k < (column + 1) * view.block_keys; ++k) {
      const bool inside = q < plan.options.context_length && k < plan.options.context_length;
      if (inside && attends(plan, view.window, q, k, view.options)) ++cells;
    }
  }
  if (cells == 0) return Block::skipped;
  return cells == std::uint64_t{view.block_queries} * view.block_keys ? Block::full : Block::partial;
}

bool is_full_color(Pixel pixel) {
  return pixel == kColors.leak || pixel == kColors.document_mean ||
         std::find(kColors.documents.begin(), kColors.documents.end(), pixel) != kColors.documents.end();
}

TEST(MaskPicture, BlocksAreFullPartialOrSkipped) {
  CaseMaker maker(4);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t length = maker.number(1, 40);
    const Plan plan = random_plan(maker, length);
    const PlanOutline outline = outline_of(plan);
    const MaskView view{.window = maker.number(0, static_cast<std::uint32_t>(plan.window_count()) - 1),
                        .queries = fine_range(0, length),
                        .keys = fine_range(0, length),
                        .block_queries = maker.number(2, 9),
                        .block_keys = maker.number(2, 9),
                        .options = random_mask(maker)};
    Picture picture = make_picture(length, length).value();
    ASSERT_TRUE(draw_mask(outline, view, picture.canvas()));
    for (std::uint32_t q = 0; q < length; q += view.block_queries) {
      for (std::uint32_t k = 0; k < length; k += view.block_keys) {
        const Pixel pixel = picture.pixels[std::size_t{q} * length + k];
        const Block block = block_of(plan, view, q / view.block_queries, k / view.block_keys);
        ASSERT_EQ(is_ground(pixel), block == Block::skipped) << round << ": " << q << ", " << k;
        // Several documents share a block on the diagonal: its colour is their mean.
        if (block != Block::partial) continue;
        ASSERT_FALSE(is_full_color(pixel)) << round << ": " << q << ", " << k;
      }
    }
  }
}

TEST(MaskPicture, BlocksThatBeginInAGapAreNotOfTheDocumentBeforeIt) {
  Plan plan = plan_of(24, {{1, 7}});
  plan.options.document_multiple = 8;
  const PlanOutline outline = outline_of(plan);
  const FineRange all = fine_range(0, 24);
  Picture picture = make_picture(24, 24).value();
  const auto pixel = [&](std::uint32_t q, std::uint32_t k) {
    return picture.pixels[std::size_t{q} * picture.width + k];
  };
  const MaskView padding{.queries = all, .keys = all, .block_queries = 2, .block_keys = 2};
  ASSERT_TRUE(draw_mask(outline, padding, picture.canvas()));
  EXPECT_EQ(pixel(2, 2), pixel(18, 18)) << "padding is padding, between documents and after them";

  MaskView leaking{.queries = all, .keys = all, .block_queries = 6, .block_keys = 6};
  leaking.options.document_mask = false;
  ASSERT_TRUE(draw_mask(outline, leaking, picture.canvas()));
  EXPECT_EQ(pixel(6, 0), pixel(12, 0)) << "both see the document before, and leak";
}

TEST(MaskPicture, ADocumentOfOneTokenIsSeenInALongWindow) {
  const Plan plan = plan_of(100000, {std::vector<std::uint32_t>(100000, 1)});
  const PlanOutline outline = outline_of(plan);
  const FineRange all = fine_range(0, 100000);
  Picture picture = make_picture(50, 50).value();
  ASSERT_TRUE(draw_mask(outline, {.queries = all, .keys = all}, picture.canvas()));
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_FALSE(is_ground(picture.pixels[i * 51])) << i;
  EXPECT_TRUE(is_ground(picture.pixels[1]));
}

TEST(MaskPicture, HatchesThePaddingBetweenDocumentsAndAfterThem) {
  Plan plan = plan_of(12, {{3, 2}});
  plan.options.document_multiple = 4;
  const PlanOutline outline = outline_of(plan);
  const FineRange all = fine_range(0, 12);
  constexpr std::uint32_t kCell = 6;
  Picture picture = make_picture(12 * kCell, 12 * kCell).value();
  ASSERT_TRUE(draw_mask(outline, {.queries = all, .keys = all}, picture.canvas()));
  const Pixel* line = picture.pixels.data() + picture.width;  // below the line that begins a cell
  for (std::uint32_t key = 1; key < 12; ++key) {
    const Pixel* first = line + std::size_t{key} * kCell;
    const bool hatched = std::count(first, first + kCell, kColors.hatch) > 0;
    EXPECT_EQ(hatched, !token_at(outline, 0, key)) << key;
  }
}

TEST(MaskPicture, HitsTellQueryAndKey) {
  const Plan plan = plan_of(8, {{5, 3}});
  const PlanOutline outline = outline_of(plan);
  const MaskView view{.queries = fine_range(4, 8), .keys = fine_range(0, 8)};
  const std::optional<MaskHit> hit = mask_hit(outline, view, {{}, 80, 40}, 35, 15);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->query, 5u);
  EXPECT_EQ(hit->key, 3u);
  EXPECT_FALSE(mask_hit(outline, view, {{}, 80, 40}, 80, 0));
}

TEST(Drawing, RefusesWhatItCannotDraw) {
  const Plan plan = plan_of(8, {{8}});
  const PlanOutline outline = outline_of(plan);
  Picture picture = make_picture(8, 8).value();
  const RowsView rows{fine_range(0, 1), fine_range(0, 8), Theme::light};
  EXPECT_FALSE(draw_rows(outline, rows, {picture.pixels, 9, 8}));
  EXPECT_FALSE(draw_rows(outline, rows, {picture.pixels, 0, 8}));
  EXPECT_FALSE(draw_rows(outline, {fine_range(1, 1), fine_range(0, 8), Theme::light}, picture.canvas()));
  EXPECT_FALSE(draw_field(outline, {.cell_px = 0}, picture.canvas()));
  EXPECT_FALSE(draw_field(outline, {.cell_px = 9}, picture.canvas()));
  const FineRange all = fine_range(0, 8);
  EXPECT_FALSE(draw_mask(outline, {.window = 1, .queries = all, .keys = all}, picture.canvas()));
  EXPECT_FALSE(
      draw_mask(outline, {.queries = all, .keys = all, .options = {.sliding_window = 0}}, picture.canvas()));
  EXPECT_FALSE(draw_mask(outline, {.queries = all, .keys = all, .block_queries = 2}, picture.canvas()));
  EXPECT_FALSE(make_picture(0, 1));
  EXPECT_FALSE(make_picture(kMaxPictureSide + 1, 1));
  EXPECT_EQ(make_picture(kMaxPictureSide, 8193).error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace packscope
