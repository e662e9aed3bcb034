// SPDX-License-Identifier: MIT
// Building messages: concat("document ", 7, " has ...").
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "packscope/result.hpp"

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

template <class... Parts>
Error invalid_option(const Parts&... parts) {
  return {ErrorCode::invalid_option, concat(parts...)};
}

template <class... Parts>
Error invalid_argument(const Parts&... parts) {
  return {ErrorCode::invalid_argument, concat(parts...)};
}

}  // namespace packscope
