// SPDX-License-Identifier: MIT
// Coloured text: characters on a ground, and pictures of half blocks, two pixels a character.
#pragma once

#include <string>
#include <string_view>

#include "packscope/render.hpp"
#include "terminal_size.hpp"

namespace packscope::cli {

class ColorText {
 public:
  explicit ColorText(native::ColorDepth depth) : depth_(depth) {}

  // Adds `characters` in `ink` on `ground`.
  void add(std::string_view characters, Pixel ink, Pixel ground);
  void add_plain(std::string_view characters);
  // Two lines of pixels become one of characters.
  void add_picture(const Picture& picture, std::string_view indent);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void set_color(int kind, Pixel color);

  native::ColorDepth depth_;
  std::string text_;
};

}  // namespace packscope::cli
