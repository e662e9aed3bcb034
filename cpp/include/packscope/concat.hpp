// SPDX-License-Identifier: MIT
// Building messages: concat("document ", 7, " has ...").
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace packscope {

template <std::integral Number>
void append_text(std::string& out, Number value) {
  out += std::to_string(value);
}
inline void append_text(std::string& out, std::string_view value) { out += value; }

template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

}  // namespace packscope
