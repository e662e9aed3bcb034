// SPDX-License-Identifier: MIT
// The colours of every picture, for light and dark pages. Neighbouring documents differ for every kind of
// colour vision; the tests hold the contrast.
#pragma once

#include <array>
#include <cstdint>

namespace packscope {

enum class Theme : std::uint8_t { light, dark };

// Four bytes in the order canvases and PNG files want them.
struct alignas(4) Pixel {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t alpha = 255;
  bool operator==(const Pixel&) const = default;
};

inline constexpr std::uint32_t kDocumentColors = 8;

struct Palette {
  std::array<Pixel, kDocumentColors> documents;
  std::array<Pixel, kDocumentColors> inks;  // text on each of them
  Pixel document_mean;                      // many documents in one pixel
  Pixel page;                               // around pictures and between tiles
  Pixel padding;                            // positions without a token: the ground, and lines over it
  Pixel hatch;
  Pixel blocked;                 // of a mask: a query that may not attend to a key
  Pixel boundary;                // of a mask: where a document begins
  Pixel leak;                    // of a mask without the document rule: a query that sees another document
  std::array<Pixel, 256> waste;  // from no padding to nothing but padding, in even steps to the eye
};

const Palette& palette(Theme theme);

// Which colour, and ink, the document at `index` in `window` takes. A step along a window moves one colour
// on and a step down to the next window three, so that neighbours never share one.
constexpr std::uint32_t document_color(std::uint64_t window, std::uint64_t index) {
  return static_cast<std::uint32_t>((index % kDocumentColors + 3 * (window % kDocumentColors)) %
                                    kDocumentColors);
}

}  // namespace packscope
