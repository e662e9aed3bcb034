// SPDX-License-Identifier: MIT
// The flags of a command: those of the table, and one for each option of the core that it takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flag_table.hpp"

namespace packscope::cli {

// As FlagRow has it.
struct Flag {
  std::string name;     // "tokens-field"
  char short_name = 0;  // 'o'
  std::string value;    // "NAME"; empty: a switch
  std::string help;
  std::string group;  // its heading in the help
  std::uint16_t commands = 0;
  std::string option;    // the core's name where it is one of its options
  bool repeats = false;  // may be given more than once
};

// Of one of the core's options: "context-length".
std::string flag_name(std::string_view option);

// Those of the table first.
std::vector<Flag> flags_of(Command command);

}  // namespace packscope::cli
