// SPDX-License-Identifier: MIT
#include "input/json_escape.hpp"

namespace packscope::native {
namespace {

std::optional<std::uint32_t> hex_number(const char* digits) {
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i) {
    const char digit = digits[i];
    const char letter = static_cast<char>(digit | 0x20);
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && (letter < 'a' || letter > 'f')) return {};
    number = number << 4 | static_cast<std::uint32_t>(decimal ? digit - '0' : letter - 'a' + 10);
  }
  return number;
}

}  // namespace

std::optional<EscapedCharacter> read_escape(const char* from) {
  if (from[1] != 'u') {
    const char simple = kSimpleEscapes[static_cast<unsigned char>(from[1])];
    if (simple == 0) return {};
    return EscapedCharacter{static_cast<std::uint32_t>(simple), 2};
  }
  const std::optional<std::uint32_t> first = hex_number(from + 2);
  if (!first) return {};
  if (*first < 0xd800 || *first > 0xdfff) return EscapedCharacter{*first, 6};
  if (*first >= 0xdc00 || from[6] != '\\' || from[7] != 'u') return {};
  const std::optional<std::uint32_t> second = hex_number(from + 8);
  if (!second || *second < 0xdc00 || *second > 0xdfff) return {};
  return EscapedCharacter{0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), 12};
}

std::uint8_t* write_utf8(const EscapedCharacter& character, std::uint8_t* out) {
  const std::size_t size = character.utf8_bytes();
  const std::uint32_t code_point = character.code_point;
  if (size == 1) {
    *out = static_cast<std::uint8_t>(code_point);
    return out + 1;
  }
  constexpr std::uint32_t kLeads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (std::size_t i = size; i-- > 0;) {
    const auto shift = static_cast<int>(6 * (size - 1 - i));
    const std::uint32_t bits = code_point >> shift;
    out[i] = static_cast<std::uint8_t>(i == 0 ? kLeads[size] | bits : 0x80 | (bits & 0x3f));
  }
  return out + size;
}

}  // namespace packscope::native
