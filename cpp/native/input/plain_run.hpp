// SPDX-License-Identifier: MIT
// How far a JSON string goes on with nothing in it but plain characters and escapes; and copying what it
// stands for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace packscope::native {

// Bytes behind a string that must be readable.
inline constexpr std::size_t kPlainRunPadding = 128;

struct PlainRun {
  // A closing quote, a control character, an escape that is malformed, or no less than the end.
  const char* end = nullptr;
  std::uint64_t saved_bytes = 0;  // by which what was passed over stands for fewer
  bool ascii = true;              // false where a byte from there to a little behind is not
};

// Passes over the escape at the end of `run`; false where there is none, or it is malformed.
bool pass_escape(PlainRun& run);

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
