// SPDX-License-Identifier: MIT
// Mixing colours.
#pragma once

#include <cstdint>

#include "packscope/palette.hpp"

namespace packscope {

inline std::uint8_t mix(std::uint8_t under, std::uint8_t over, std::uint32_t opacity) {
  return static_cast<std::uint8_t>((under * (255 - opacity) + over * opacity + 127) / 255);
}

// `over` laid on `under`; opacity from 0 to 255.
inline Pixel mix(Pixel under, Pixel over, std::uint32_t opacity) {
  return {mix(under.red, over.red, opacity), mix(under.green, over.green, opacity),
          mix(under.blue, over.blue, opacity), 255};
}

// Colours added up with weights, for a mean.
struct ColorSum {
  std::uint32_t red = 0;
  std::uint32_t green = 0;
  std::uint32_t blue = 0;
  std::uint32_t weight = 0;

  void add(Pixel color, std::uint32_t by = 1) {
    red += color.red * by;
    green += color.green * by;
    blue += color.blue * by;
    weight += by;
  }
  // With something added.
  [[nodiscard]] Pixel mean() const {
    const std::uint32_t half = weight / 2;
    return {static_cast<std::uint8_t>((red + half) / weight),
            static_cast<std::uint8_t>((green + half) / weight),
            static_cast<std::uint8_t>((blue + half) / weight), 255};
  }
};

// The mean colour of the documents [first, last) of a window.
inline Pixel mean_document_color(const Palette& colors, std::uint64_t window, std::uint64_t first,
                                 std::uint64_t last) {
  if (last - first >= kDocumentColors) return colors.document_mean;
  ColorSum sum;
  for (std::uint64_t i = first; i < last; ++i) sum.add(colors.documents[document_color(window, i)]);
  return sum.mean();
}

}  // namespace packscope
