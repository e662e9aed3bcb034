// SPDX-License-Identifier: MIT
// Numbers appended to bytes, little-endian as in memory.
#pragma once

#include <cstring>
#include <string>

namespace packscope::native {

template <class Value>
void append_value(std::string& bytes, Value value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace packscope::native
