// SPDX-License-Identifier: MIT
#include "terminal_picture.hpp"

#include <algorithm>

#include "message.hpp"

namespace packscope::cli {
namespace {

constexpr int kInk = 38;
constexpr int kGround = 48;
constexpr std::string_view kUpperHalf = "▀";
constexpr std::string_view kReset = "\x1b[0m";

int squared(int value) { return value * value; }

int distance(Pixel a, int red, int green, int blue) {
  return squared(a.red - red) + squared(a.green - green) + squared(a.blue - blue);
}

// The nearest of the 256: in the cube of 6 x 6 x 6 colours from 16 on, or the 24 greys from 232 on.
int indexed(Pixel color) {
  const auto step = [](int value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; };
  const auto level = [](int at) { return at == 0 ? 0 : 55 + 40 * at; };
  const int red = step(color.red);
  const int green = step(color.green);
  const int blue = step(color.blue);
  const int grey = std::clamp(((color.red + color.green + color.blue) / 3 - 3) / 10, 0, 23);
  const int grey_level = 8 + 10 * grey;
  const bool is_grey = distance(color, grey_level, grey_level, grey_level) <
                       distance(color, level(red), level(green), level(blue));
  return is_grey ? 232 + grey : 16 + 36 * red + 6 * green + blue;
}

}  // namespace

void ColorText::set_color(int kind, Pixel color) {
  if (depth_ == native::ColorDepth::full) {
    text_ += concat("\x1b[", kind, ";2;", +color.red, ";", +color.green, ";", +color.blue, "m");
  } else {
    text_ += concat("\x1b[", kind, ";5;", indexed(color), "m");
  }
}

void ColorText::add(std::string_view characters, Pixel ink, Pixel ground) {
  if (depth_ == native::ColorDepth::none) {
    text_ += characters;
    return;
  }
  set_color(kInk, ink);
  set_color(kGround, ground);
  text_ += characters;
  text_ += kReset;
}

void ColorText::add_plain(std::string_view characters) { text_ += characters; }

void ColorText::add_picture(const Picture& picture, std::string_view indent) {
  for (std::uint32_t y = 0; y + 1 < picture.height; y += 2) {
    const Pixel* upper = picture.pixels.data() + std::size_t{y} * picture.width;
    const Pixel* lower = upper + picture.width;
    text_ += indent;
    for (std::uint32_t x = 0; x < picture.width;) {
      std::string halves;
      const std::uint32_t first = x;
      while (x < picture.width && upper[x] == upper[first] && lower[x] == lower[first]) {
        halves += kUpperHalf;
        ++x;
      }
      add(halves, upper[first], lower[first]);
    }
    text_ += '\n';
  }
}

}  // namespace packscope::cli
