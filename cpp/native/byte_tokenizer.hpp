// SPDX-License-Identifier: MIT
// The built-in tokenizer: every byte of UTF-8 text is a token, its value the id.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace packscope::native {

inline void append_bytes(std::vector<std::int32_t>& tokens, std::string_view text) {
  const std::size_t begin = tokens.size();
  tokens.resize(begin + text.size());
  std::int32_t* out = tokens.data() + begin;
  for (const char byte : text) *out++ = static_cast<unsigned char>(byte);
}

}  // namespace packscope::native
