// SPDX-License-Identifier: MIT
// Errors that the operating system reports, and counts in words.
#include "message.hpp"

#include <cerrno>
#include <cstring>

namespace packscope::native {

std::string counted_noun(std::uint64_t count, std::string_view noun) {
  return concat(count, " ", noun, count == 1 ? "" : "s");
}

Error system_error(std::string_view what, std::string_view path) {
  return {ErrorCode::io_error, concat(what, " ", path, ": ", std::strerror(errno))};
}

}  // namespace packscope::native
