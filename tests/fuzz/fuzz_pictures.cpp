// SPDX-License-Identifier: MIT
// Pictures of any plan from any place: each is refused or sets every pixel, and every hit lies in the plan.
#include <vector>

#include "fuzz_main.hpp"
#include "packscope/pack.hpp"
#include "packscope/render.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

constexpr std::uint32_t kMaxSide = 40;

Result<Plan> choose_plan(FuzzedDataProvider& data) {
  Options options;
  options.context_length = data.ConsumeIntegralInRange(1u, 70u);
  options.algorithm =
      data.PickValueInArray({Algorithm::pad, Algorithm::wrap, Algorithm::best_fit_decreasing});
  options.long_documents = LongDocuments::split;
  options.extra_token = data.ConsumeBool();
  options.document_multiple = data.ConsumeIntegralInRange(1u, 5u);
  std::vector<std::uint32_t> lengths(data.ConsumeIntegralInRange<std::size_t>(0, 200));
  for (std::uint32_t& length : lengths) length = data.ConsumeIntegralInRange(0u, 90u);
  return pack({.lengths = lengths}, options);
}

// Mostly a part of what is there, of any fineness; at times anything.
FineRange choose_range(FuzzedDataProvider& data, std::uint64_t count) {
  if (data.ConsumeProbability<float>() < 0.05f)
    return {data.ConsumeIntegral<std::uint64_t>(), data.ConsumeIntegral<std::uint64_t>()};
  const std::uint64_t end = (count + 3) * kFine;
  const auto begin = data.ConsumeIntegralInRange<std::uint64_t>(0, end);
  return {begin, begin + data.ConsumeIntegralInRange<std::uint64_t>(0, end)};
}

// Draws twice on different grounds; whether it was drawn.
template <class View, class Draw>
bool draw_sets_all(const PlanOutline& outline, const View& view, Draw draw, Picture& picture) {
  Picture other = *make_picture(picture.width, picture.height);
  std::fill(picture.pixels.begin(), picture.pixels.end(), Pixel{1});
  std::fill(other.pixels.begin(), other.pixels.end(), Pixel{2});
  const Status drawn = draw(outline, view, picture.canvas());
  if (!drawn) {
    expect_sound(drawn.error());
    return false;
  }
  expect(draw(outline, view, other.canvas()).has_value(), "what is drawn once is drawn again");
  expect(std::equal(picture.pixels.begin(), picture.pixels.end(), other.pixels.begin()),
         "every pixel is set");
  return true;
}

void draw_windows(FuzzedDataProvider& data, const PlanOutline& outline, Picture& picture) {
  WindowFieldView field;
  field.first_window = data.ConsumeIntegralInRange<std::uint64_t>(0, outline.window_count() + 2);
  field.cell_px = data.ConsumeIntegralInRange(0u, 20u);
  field.windows_per_cell =
      data.ConsumeBool() ? data.ConsumeIntegralInRange(0u, 9u) : data.ConsumeIntegral<std::uint32_t>();
  const RowsView rows{choose_range(data, outline.window_count()), choose_range(data, outline.window_length()),
                      data.ConsumeBool() ? Theme::dark : Theme::light};
  const bool has_field = draw_sets_all(outline, field, draw_field, picture);
  const bool has_rows = draw_sets_all(outline, rows, draw_rows, picture);
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      if (has_field) {
        const auto window = field_hit(outline, field, picture.width, x, y);
        expect(!window || *window < outline.window_count(), "a cell is a window's");
      }
      if (!has_rows) continue;
      const auto hit = rows_hit(outline, rows, picture.canvas(), x, y);
      if (!hit) continue;
      expect(hit->window < outline.window_count() && hit->position < outline.window_length(),
             "a hit is in the plan");
      expect(!hit->segment || *hit->segment < outline.begins(hit->window).size(),
             "a segment is the window's");
    }
  }
}

void draw_one_mask(FuzzedDataProvider& data, const PlanOutline& outline, Picture& picture) {
  MaskView view;
  view.window = data.ConsumeIntegralInRange<std::uint64_t>(0, outline.window_count());
  view.queries = choose_range(data, outline.window_length());
  view.keys = choose_range(data, outline.window_length());
  view.block_queries = data.ConsumeIntegralInRange(0u, 80u);
  view.block_keys = data.ConsumeIntegralInRange(0u, 80u);
  for (const OptionInfo& info : mask_option_table()) {
    if (data.ConsumeBool())
      (void)set_mask_option(view.options, info.name, choose_value(data, info.value, 14));
  }
  if (!draw_sets_all(outline, view, draw_mask, picture)) return;
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    const auto hit = mask_hit(outline, view, picture.canvas(), y % picture.width, y);
    expect(!hit || (hit->query < outline.window_length() && hit->key < outline.window_length()),
           "a cell is the mask's");
  }
}

}  // namespace

void run(FuzzedDataProvider& data) {
  const Result<Plan> plan = choose_plan(data);
  if (!plan) return expect_sound(plan.error());
  const Result<PlanOutline> outline = PlanOutline::create(*plan);
  expect_value(outline, "a plan that was made has an outline");
  Picture picture =
      *make_picture(data.ConsumeIntegralInRange(1u, kMaxSide), data.ConsumeIntegralInRange(1u, kMaxSide));
  draw_windows(data, *outline, picture);
  draw_one_mask(data, *outline, picture);
}

}  // namespace packscope_fuzz
