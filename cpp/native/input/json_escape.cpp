// SPDX-License-Identifier: MIT
#include "input/json_escape.hpp"

namespace packscope::native {
namespace {

// By character, what it is as a hexadecimal digit; -1 for none.
constexpr std::array<std::int32_t, 256> kDigits = [] {
  std::array<std::int32_t, 256> digits{};
  digits.fill(-1);
  for (unsigned char i = 0; i < 10; ++i) digits['0' + i] = i;
  for (unsigned char i = 0; i < 6; ++i) digits['a' + i] = digits['A' + i] = 10 + i;
  return digits;
}();

// One that is no digit makes all of the number negative.
std::optional<std::uint32_t> hex_number(const char* digits) {
  std::int32_t number = 0;
  for (int i = 0; i < 4; ++i) {
    number |= kDigits[static_cast<unsigned char>(digits[i])] * (1 << (12 - 4 * i));
  }
  return number < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(number));
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

std::uint8_t* copy_escapes(const char*& at, const char* end, std::uint8_t* out) {
  do {
    const EscapedCharacter character = read_escape(at).value_or(EscapedCharacter{0, 2});
    at += character.escaped_bytes;
    out = write_utf8(character, out);
  } while (at + 1 < end && at[0] == '\\' && at[1] == 'u');
  return out;
}

}  // namespace packscope::native
