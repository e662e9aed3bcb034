// SPDX-License-Identifier: MIT
// A command line taken apart by the flags of its command.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flag_table.hpp"
#include "packscope/result.hpp"

namespace packscope::cli {

// A parsed command line.
struct Arguments {
  std::vector<std::string> operands;
  std::map<std::string, std::vector<std::string>, std::less<>> values;  // by flag name, as given
  bool help = false;

  [[nodiscard]] bool has(std::string_view flag) const { return values.find(flag) != values.end(); }
  // The flag's value, or `otherwise`.
  [[nodiscard]] std::string get(std::string_view flag, std::string_view otherwise = "") const;
  // All values given, commas taken apart.
  [[nodiscard]] std::vector<std::string> list(std::string_view flag) const;
};

// Parses what follows the command's name. A wrong flag names the nearest right one.
Result<Arguments> parse_arguments(const CommandInfo& command, std::span<char* const> words);

// ". Did you mean X?", or nothing where no candidate is near.
std::string did_you_mean(std::string_view wrong, std::span<const std::string> candidates);

// A whole number from `least` to `most` for a flag of the program.
Result<std::uint64_t> parse_number(std::string_view flag, std::string_view text, std::uint64_t least,
                                   std::uint64_t most);

// "a,b" as {"a", "b"}.
std::vector<std::string> split_list(std::string_view text, char mark);

}  // namespace packscope::cli
