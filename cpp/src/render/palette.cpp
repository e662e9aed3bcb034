// SPDX-License-Identifier: MIT
// The two palettes. Document colours were found by a search over lightness, chroma and hue that kept
// neighbours apart under normal, protan, deutan and tritan vision; each waste ramp has equal steps in OKLab.
#include "packscope/palette.hpp"

#include <cstddef>

namespace packscope {
namespace {

constexpr Pixel rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16 & 255), static_cast<std::uint8_t>(hex >> 8 & 255),
          static_cast<std::uint8_t>(hex & 255), 255};
}

constexpr std::uint8_t between(std::uint8_t from, std::uint8_t to, std::size_t part, std::size_t whole) {
  return static_cast<std::uint8_t>((from * (whole - part) + to * part + whole / 2) / whole);
}

constexpr std::size_t kStops = 9;

// 256 colours along the stops.
constexpr std::array<Pixel, 256> ramp(const std::array<std::uint32_t, kStops>& stops) {
  std::array<Pixel, 256> colors{};
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const std::size_t along = i * (kStops - 1);
    const std::size_t stop = along / 255 < kStops - 1 ? along / 255 : kStops - 2;
    const Pixel from = rgb(stops[stop]);
    const Pixel to = rgb(stops[stop + 1]);
    const std::size_t part = along - stop * 255;
    colors[i] = {between(from.red, to.red, part, 255), between(from.green, to.green, part, 255),
                 between(from.blue, to.blue, part, 255), 255};
  }
  return colors;
}

constexpr std::array<Pixel, kDocumentColors> colors_of(
    const std::array<std::uint32_t, kDocumentColors>& hex) {
  std::array<Pixel, kDocumentColors> colors{};
  for (std::size_t i = 0; i < hex.size(); ++i) colors[i] = rgb(hex[i]);
  return colors;
}

constexpr Pixel mean(const std::array<Pixel, kDocumentColors>& colors) {
  std::uint32_t red = 0;
  std::uint32_t green = 0;
  std::uint32_t blue = 0;
  for (const Pixel& color : colors) {
    red += color.red;
    green += color.green;
    blue += color.blue;
  }
  return {static_cast<std::uint8_t>(red / kDocumentColors),
          static_cast<std::uint8_t>(green / kDocumentColors),
          static_cast<std::uint8_t>(blue / kDocumentColors), 255};
}

constexpr std::uint32_t kBlack = 0x000000;
constexpr std::uint32_t kWhite = 0xffffff;

constexpr std::array<Pixel, kDocumentColors> kLightDocuments =
    colors_of({0x296405, 0x9d950e, 0x714fa8, 0x9686ef, 0x9a4c56, 0xd27b7d, 0x793c77, 0x569eb6});
constexpr std::array<Pixel, kDocumentColors> kDarkDocuments =
    colors_of({0x888a16, 0x6aa4f1, 0x5c5aad, 0x94c6f8, 0xba587a, 0xcfc569, 0x7e5f29, 0xee90ab});

constexpr Palette kLight{
    .documents = kLightDocuments,
    .inks = colors_of({kWhite, kBlack, kWhite, kBlack, kWhite, kBlack, kWhite, kBlack}),
    .document_mean = mean(kLightDocuments),
    .page = rgb(0xffffff),
    .padding = rgb(0xf1f3f6),
    .hatch = rgb(0xcdd3dc),
    .blocked = rgb(0xf1f3f6),
    .boundary = rgb(0xdde1e7),
    .leak = rgb(0xf0384a),
    .waste = ramp({0xd4e9fd, 0xbfd0f3, 0xb4b6e6, 0xaf9ad3, 0xad7eba, 0xab639a, 0xa64975, 0x9e304c, 0x92131b}),
};

constexpr Palette kDark{
    .documents = kDarkDocuments,
    .inks = colors_of({kBlack, kBlack, kWhite, kBlack, kBlack, kBlack, kWhite, kBlack}),
    .document_mean = mean(kDarkDocuments),
    .page = rgb(0x0d1117),
    .padding = rgb(0x171c24),
    .hatch = rgb(0x39414d),
    .blocked = rgb(0x171c24),
    .boundary = rgb(0x2a313b),
    .leak = rgb(0xff4d58),
    .waste = ramp({0x1e2f44, 0x393d5f, 0x594a75, 0x7d5684, 0xa1628a, 0xc47088, 0xe3817e, 0xfb966f, 0xffaf5e}),
};

}  // namespace

const Palette& palette(Theme theme) { return theme == Theme::light ? kLight : kDark; }

}  // namespace packscope
