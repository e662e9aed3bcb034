// SPDX-License-Identifier: MIT
// Looking for bytes eight at a time in plain integers, where the lowest comes first in memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace packscope::native {

inline constexpr std::size_t kWordBytes = 8;
inline constexpr std::uint64_t kEachByte = 0x0101010101010101;
inline constexpr std::uint64_t kHighBits = 0x80 * kEachByte;

inline std::uint64_t load_word(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// The high bit of each byte below `limit`, which is at most 128. Marks above the lowest may be wrong: the
// subtraction borrows from them.
inline std::uint64_t bytes_below(std::uint64_t word, std::uint64_t limit) {
  return (word - limit * kEachByte) & ~word & kHighBits;
}

inline std::uint64_t bytes_equal(std::uint64_t word, char byte) {
  return bytes_below(word ^ static_cast<unsigned char>(byte) * kEachByte, 1);
}

// Bytes before the lowest one that is marked; the whole word where none is.
inline std::size_t first_marked(std::uint64_t marks) {
  return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
}

}  // namespace packscope::native
