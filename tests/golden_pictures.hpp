// SPDX-License-Identifier: MIT
// The pictures that tests/golden holds. Every build must make the same pixels.
#pragma once

#include <string>
#include <vector>

#include "packscope/pack.hpp"
#include "packscope/render.hpp"

namespace packscope_tests {

struct GoldenPicture {
  std::string name;
  packscope::Picture picture;
};

class GoldenPictures {
 public:
  static std::vector<GoldenPicture> make() {
    std::vector<GoldenPicture> pictures;
    for (const packscope::Theme theme : {packscope::Theme::light, packscope::Theme::dark}) {
      const std::string suffix = theme == packscope::Theme::light ? "-light" : "-dark";
      const packscope::Plan padded = plan(packscope::Algorithm::next_fit, 120, 1);
      const packscope::Plan cut = plan(packscope::Algorithm::wrap, 120, 1);
      const packscope::Plan many = plan(packscope::Algorithm::next_fit, 20000, 1);
      const packscope::Plan gaps = plan(packscope::Algorithm::next_fit, 120, 16);
      pictures.push_back({"rows" + suffix, rows(padded, 240, 12 * 16, 12, theme)});
      pictures.push_back({"rows-gaps" + suffix, rows(gaps, 240, 12 * 16, 12, theme)});
      pictures.push_back({"rows-split" + suffix, rows(cut, 240, 12 * 16, 12, theme)});
      pictures.push_back({"rows-thin" + suffix, rows(many, 240, 120, many.window_count(), theme)});
      pictures.push_back({"field" + suffix, field(padded, 160, 40, theme)});
      pictures.push_back({"field-many" + suffix, field(many, 60, 30, theme)});
      pictures.push_back({"mask" + suffix, mask(padded, 0, {}, theme)});
      pictures.push_back({"mask-blocks" + suffix, mask(padded, 16, {}, theme)});
      pictures.push_back({"mask-leak" + suffix, mask(gaps, 0, {.document_mask = false}, theme)});
      pictures.push_back({"mask-sliding" + suffix, mask(cut, 0, {.sliding_window = 40}, theme)});
    }
    return pictures;
  }

 private:
  static packscope::Plan plan(packscope::Algorithm algorithm, std::uint32_t documents,
                              std::uint32_t document_multiple) {
    packscope::Options options;
    options.context_length = 256;
    options.algorithm = algorithm;
    options.document_multiple = document_multiple;
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t i = 0; i < documents; ++i) lengths.push_back(1 + i * i * 37 % 113);
    packscope::Documents input;
    input.lengths = lengths;
    return packscope::pack(input, options).value();
  }

  static packscope::Picture rows(const packscope::Plan& plan, std::uint32_t width, std::uint32_t height,
                                 std::uint64_t windows, packscope::Theme theme) {
    packscope::Picture picture = packscope::make_picture(width, height).value();
    const packscope::RowsView view{packscope::fine_range(0, windows), packscope::fine_range(0, 256), theme};
    const packscope::PlanOutline outline = packscope::PlanOutline::create(plan).value();
    if (!packscope::draw_rows(outline, view, picture.canvas())) picture.pixels.clear();
    return picture;
  }

  static packscope::Picture field(const packscope::Plan& plan, std::uint32_t width, std::uint32_t height,
                                  packscope::Theme theme) {
    packscope::Picture picture = packscope::make_picture(width, height).value();
    const packscope::WindowFieldView view =
        packscope::fit_field(plan.window_count(), width, height, 16, theme);
    const packscope::PlanOutline outline = packscope::PlanOutline::create(plan).value();
    if (!packscope::draw_field(outline, view, picture.canvas())) picture.pixels.clear();
    return picture;
  }

  static packscope::Picture mask(const packscope::Plan& plan, std::uint32_t block,
                                 const packscope::MaskOptions& options, packscope::Theme theme) {
    packscope::Picture picture = packscope::make_picture(160, 160).value();
    const packscope::FineRange all = packscope::fine_range(0, 256);
    const packscope::MaskView view{.window = 3,
                                   .queries = all,
                                   .keys = all,
                                   .block_queries = block,
                                   .block_keys = block,
                                   .options = options,
                                   .theme = theme};
    const packscope::PlanOutline outline = packscope::PlanOutline::create(plan).value();
    if (!packscope::draw_mask(outline, view, picture.canvas())) picture.pixels.clear();
    return picture;
  }
};

}  // namespace packscope_tests
