// SPDX-License-Identifier: MIT
// Building the errors of readers and writers: where it happened, then what is wrong and what helps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "packscope/concat.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

template <class... Parts>
Error bad_data(const Parts&... parts) {
  return {ErrorCode::invalid_data, concat(parts...)};
}

template <class... Parts>
Error bad_usage(const Parts&... parts) {
  return {ErrorCode::invalid_argument, concat(parts...)};
}

// "1 value", "2 values".
std::string counted_noun(std::uint64_t count, std::string_view noun);

// "cannot read FILE: No such file or directory", from errno.
Error system_error(std::string_view what, std::string_view path);

// A line of a file, written "FILE:LINE".
struct Place {
  std::string_view file;
  std::uint64_t line = 0;
};
inline std::string message_part(const Place& place) { return concat(place.file, ":", place.line); }

}  // namespace packscope::native
