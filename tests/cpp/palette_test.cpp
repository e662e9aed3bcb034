// SPDX-License-Identifier: MIT
// Holds the floor under the colours: contrast by WCAG 2, differences in OKLab (Ottosson 2020), as people with
// and without colour vision deficiencies see them (Machado, Oliveira and Fernandes 2009, severity 1).
#include "packscope/palette.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace packscope {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr Matrix kToCone{{{0.4122214708, 0.5363325363, 0.0514459929},
                          {0.2119034982, 0.6806995451, 0.1073969566},
                          {0.0883024619, 0.2817188376, 0.6299787005}}};
constexpr Matrix kToLab{{{0.2104542553, 0.7936177850, -0.0040720468},
                         {1.9779984951, -2.4285922050, 0.4505937099},
                         {0.0259040371, 0.7827717662, -0.8086757660}}};

Vector times(const Matrix& matrix, const Vector& v) {
  Vector out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
  }
  return out;
}

double linear(std::uint8_t value) {
  const double share = value / 255.0;
  return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

Vector light_of(Pixel color) { return {linear(color.red), linear(color.green), linear(color.blue)}; }

Vector oklab(Pixel color, const Matrix& vision) {
  Vector light = times(vision, light_of(color));
  for (double& channel : light) channel = std::clamp(channel, 0.0, 1.0);
  Vector cone = times(kToCone, light);
  for (double& channel : cone) channel = std::cbrt(channel);
  return times(kToLab, cone);
}

double difference(Pixel a, Pixel b, const Matrix& vision) {
  const Vector left = oklab(a, vision);
  const Vector right = oklab(b, vision);
  return std::hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2]);
}

double contrast(Pixel a, Pixel b) {
  const auto luminance = [](Pixel color) {
    const Vector light = light_of(color);
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  };
  const double left = luminance(a) + 0.05;
  const double right = luminance(b) + 0.05;
  return std::max(left, right) / std::min(left, right);
}

// The least difference between documents that may touch: the next in the window, and those above and below.
double least_neighbour_difference(const Palette& colors) {
  double least = 1;
  for (const Matrix& vision : {kNormal, kProtan, kDeutan, kTritan}) {
    for (std::uint32_t i = 0; i < kDocumentColors; ++i) {
      const Pixel color = colors.documents[i];
      least = std::min(least, difference(color, colors.documents[document_color(0, i + 1)], vision));
      least = std::min(least, difference(color, colors.documents[document_color(1, i)], vision));
    }
  }
  return least;
}

class PaletteOf : public testing::TestWithParam<Theme> {
 protected:
  const Palette& colors_ = palette(GetParam());
};

TEST_P(PaletteOf, DocumentsStandOutFromThePage) {
  for (const Pixel& color : colors_.documents) EXPECT_GE(contrast(color, colors_.page), 3.0);
}

TEST_P(PaletteOf, LabelsCanBeRead) {
  for (std::uint32_t i = 0; i < kDocumentColors; ++i) {
    EXPECT_GE(contrast(colors_.documents[i], colors_.inks[i]), 4.5) << "colour " << i;
  }
}

TEST_P(PaletteOf, NeighboursDifferForEveryColourVision) {
  EXPECT_GE(least_neighbour_difference(colors_), GetParam() == Theme::light ? 0.160 : 0.166);
}

TEST_P(PaletteOf, LeaksAreNoDocumentsColour) {
  for (const Pixel& color : colors_.documents) EXPECT_GE(difference(color, colors_.leak, kNormal), 0.1);
  EXPECT_GE(contrast(colors_.leak, colors_.blocked), 3.0);
}

TEST_P(PaletteOf, WasteHasEvenStepsThatOnlyGrowOrFade) {
  const double whole = difference(colors_.waste[0], colors_.waste[255], kNormal);
  const double lightness_step = GetParam() == Theme::light ? -1 : 1;
  double longest = 0;
  double shortest = 1;
  for (std::size_t i = 0; i + 51 <= 255; i += 51) {
    const Pixel from = colors_.waste[i];
    const Pixel to = colors_.waste[i + 51];
    longest = std::max(longest, difference(from, to, kNormal));
    shortest = std::min(shortest, difference(from, to, kNormal));
    EXPECT_GT((oklab(to, kNormal)[0] - oklab(from, kNormal)[0]) * lightness_step, 0.02) << "from " << i;
  }
  EXPECT_GT(whole, 0.4);
  EXPECT_LT(longest / shortest, 1.2);
}

INSTANTIATE_TEST_SUITE_P(Themes, PaletteOf, testing::Values(Theme::light, Theme::dark),
                         [](const auto& test) { return test.param == Theme::light ? "Light" : "Dark"; });

TEST(DocumentColor, NeighboursNeverShareOne) {
  for (std::uint64_t window = 0; window < 20; ++window) {
    for (std::uint64_t index = 0; index < 20; ++index) {
      EXPECT_NE(document_color(window, index), document_color(window, index + 1));
      EXPECT_NE(document_color(window, index), document_color(window + 1, index));
    }
  }
}

}  // namespace
}  // namespace packscope
