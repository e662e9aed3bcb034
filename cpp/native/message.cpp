// SPDX-License-Identifier: MIT
// Errors that the operating system reports.
#include "message.hpp"

#include <cerrno>
#include <cstring>

namespace packscope::native {

Error system_error(std::string_view what, std::string_view path) {
  return {ErrorCode::io_error, join_parts(what, " ", path, ": ", std::strerror(errno))};
}

}  // namespace packscope::native
