// SPDX-License-Identifier: MIT
// Files that are written in one go: pictures and single arrays.
#pragma once

#include <string>
#include <string_view>

#include "packscope/result.hpp"

namespace packscope::native {

// Writes `bytes` to `path`, replacing a file that stands there only once they are all written; "-" is
// standard output, unless that is a terminal.
Status write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace packscope::native
