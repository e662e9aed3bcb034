// SPDX-License-Identifier: MIT
// Where the visualizer's built page lies: beside a program that was built or installed, or where its user
// says.
#pragma once

#include <string>

#include "packscope/result.hpp"

namespace packscope::native {

// `named` is what the user says; empty looks beside the program. An error names the places and what helps.
Result<std::string> page_folder(const std::string& named);

}  // namespace packscope::native
