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
  bool operator==(const ColorSum&) const = default;

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

// The colours of documents, and the means of several in a row, which are few enough to know beforehand.
class DocumentColors {
 public:
  explicit DocumentColors(const Palette& colors) : many_(colors.document_mean) {
    for (std::uint32_t first = 0; first < kDocumentColors; ++first) {
      ColorSum sum;
      for (std::uint32_t i = 0; i + 1 < kDocumentColors; ++i) {
        sum.add(colors.documents[(first + i) % kDocumentColors]);
        means_[first][i] = sum.mean();
      }
    }
  }

  // The mean of documents [first, last) of a window, at least one.
  [[nodiscard]] Pixel mean(std::uint64_t window, std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t count = last - first;
    return count < kDocumentColors ? means_[document_color(window, first)][count - 1] : many_;
  }
  [[nodiscard]] Pixel of(std::uint64_t window, std::uint64_t index) const {
    return means_[document_color(window, index)][0];
  }

 private:
  std::array<std::array<Pixel, kDocumentColors - 1>, kDocumentColors> means_;
  Pixel many_;
};

}  // namespace packscope
