// SPDX-License-Identifier: MIT
// What one escape in a JSON string stands for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace packscope::native {

// By the letter behind a backslash, the character that both stand for; 0 where they stand for none, or 'u'
// goes on.
inline constexpr std::array<char, 256> kSimpleEscapes = [] {
  std::array<char, 256> characters{};
  characters['"'] = '"';
  characters['\\'] = '\\';
  characters['/'] = '/';
  characters['b'] = '\b';
  characters['f'] = '\f';
  characters['n'] = '\n';
  characters['r'] = '\r';
  characters['t'] = '\t';
  return characters;
}();

struct EscapedCharacter {
  std::uint32_t code_point = 0;
  std::size_t escaped_bytes = 0;

  [[nodiscard]] std::size_t utf8_bytes() const {
    return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
  }
};

// The character of the escape at `from`, which may be a pair of surrogates; nothing where it is malformed.
// Looks at up to 12 bytes.
std::optional<EscapedCharacter> read_escape(const char* from);

// Writes the UTF-8 of the well-formed escape at `at` and of those of four digits behind it, for they are
// seldom alone. `at` goes on behind them; returns where what is written ends.
std::uint8_t* copy_escapes(const char*& at, const char* end, std::uint8_t* out);

}  // namespace packscope::native
