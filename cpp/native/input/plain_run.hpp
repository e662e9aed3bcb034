// SPDX-License-Identifier: MIT
// How far a JSON string goes on with nothing in it but plain characters and, with SIMD, escapes of one
// letter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace packscope::native {

// Bytes behind a string that must be readable.
inline constexpr std::size_t kPlainRunPadding = 64;

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

}  // namespace packscope::native
