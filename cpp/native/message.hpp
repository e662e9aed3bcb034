// SPDX-License-Identifier: MIT
// Building the errors of readers and writers: where it happened, then what is wrong and what helps.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "packscope/result.hpp"

namespace packscope::native {

template <std::integral Number>
void append_part(std::string& out, Number value) {
  out += std::to_string(value);
}
inline void append_part(std::string& out, std::string_view value) { out += value; }

template <class... Parts>
std::string join_parts(const Parts&... parts) {
  std::string out;
  (append_part(out, parts), ...);
  return out;
}

template <class... Parts>
Error bad_data(const Parts&... parts) {
  return {ErrorCode::invalid_data, join_parts(parts...)};
}

template <class... Parts>
Error bad_usage(const Parts&... parts) {
  return {ErrorCode::invalid_argument, join_parts(parts...)};
}

// "cannot read FILE: No such file or directory", from errno.
Error system_error(std::string_view what, std::string_view path);

// A line of a file, written "FILE:LINE".
struct Place {
  std::string_view file;
  std::uint64_t line = 0;
};
inline void append_part(std::string& out, const Place& place) {
  out += place.file;
  out += ':';
  out += std::to_string(place.line);
}

}  // namespace packscope::native
