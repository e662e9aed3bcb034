// SPDX-License-Identifier: MIT
// What the terminal behind standard output can show.
#pragma once

#include <cstdint>
#include <optional>

namespace packscope::native {

// Its width in characters; none where standard output is no terminal.
std::optional<std::uint32_t> terminal_columns();

// Colours that text may have: by NO_COLOR, COLORTERM and TERM.
enum class ColorDepth : std::uint8_t { none, indexed, full };  // none, 256, 24 bits
ColorDepth terminal_colors();

}  // namespace packscope::native
