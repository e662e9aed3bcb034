// SPDX-License-Identifier: MIT
// How far a JSON string goes on with nothing in it but plain characters and, with SIMD, escapes of one
// letter; and copying what it stands for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace packscope::native {

// Bytes behind a string that must be readable.
inline constexpr std::size_t kPlainRunPadding = 128;

struct PlainRun {
  const char* end =
      nullptr;  // a closing quote, a control character, an escape to look at, or no less than the end
  std::uint64_t escapes = 0;  // passed over: each has two bytes that stand for one
  bool ascii = true;          // false where a byte from there to a little behind is not
};

// From `at`, which is inside a string and not escaped, to `end` at least.
PlainRun skip_plain(const char* at, const char* end);

// What that does without SIMD.
PlainRun skip_plain_scalar(const char* at, const char* end);

// Bytes behind what copy_unescaped() writes that it may write, too.
inline constexpr std::size_t kUnescapePadding = 64;

// Writes the UTF-8 that the inside of a string, [at, end), stands for, and returns where that ends. All
// escapes must be well-formed. Reads as skip_plain() does.
std::uint8_t* copy_unescaped(const char* at, const char* end, std::uint8_t* out);

// What that does without SIMD.
std::uint8_t* copy_unescaped_scalar(const char* at, const char* end, std::uint8_t* out);

}  // namespace packscope::native
