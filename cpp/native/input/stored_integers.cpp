// SPDX-License-Identifier: MIT
#include "input/stored_integers.hpp"

#include <algorithm>

namespace packscope::native {

std::optional<IntegerType> integer_type(std::string_view descr) {
  if (descr.size() != 3) return {};
  const char order = descr[0], kind = descr[1], width = descr[2];
  if (order != '<' && order != '>' && order != '|' && order != '=') return {};
  if (kind != 'i' && kind != 'u') return {};
  if (width != '1' && width != '2' && width != '4' && width != '8') return {};
  return IntegerType{static_cast<std::size_t>(width - '0'), kind == 'i', order == '>'};
}

std::int64_t load_integer(const std::byte* at, const IntegerType& type) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < type.bytes; ++i) {
    const std::size_t byte = type.big_endian ? i : type.bytes - 1 - i;
    value = value << 8 | std::to_integer<std::uint64_t>(at[byte]);
  }
  if (!type.is_signed) return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX));
  const auto unused = static_cast<int>(64 - type.bytes * 8);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

}  // namespace packscope::native
