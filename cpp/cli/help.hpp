// SPDX-License-Identifier: MIT
// The help of the program and of each command, made from their flags.
#pragma once

#include <string>

#include "flag_table.hpp"

namespace packscope::cli {

std::string general_help();
std::string command_help(const CommandInfo& command);

}  // namespace packscope::cli
