// SPDX-License-Identifier: MIT
// One table of everything the command line takes: flags, commands, and the help made from them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packscope/result.hpp"

namespace packscope::cli {

enum Command : std::uint16_t {
  kPack = 1,
  kCompare = 2,
  kStats = 4,
  kAlgorithms = 8,
  kVerify = 16,
  kShow = 32,
  kMask = 64,
  kRender = 128,
  kLengths = 256,
  kPlan = 512,
  kMaterialize = 1024,
  kView = 2048,
};
inline constexpr std::uint16_t kReading = kPack | kCompare | kVerify | kLengths | kPlan;
inline constexpr std::uint16_t kPicturing = kShow | kMask | kRender;
inline constexpr std::uint16_t kEvery = UINT16_MAX;

// A flag of the program. Options of the core become flags too: see flags_of.
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

struct CommandInfo {
  Command command;
  std::string_view name;
  std::string_view operands;  // "INPUT..."
  std::string_view summary;
  std::string_view example;
};

std::span<const CommandInfo> commands();

// The flags of a command: its own, then the core's options.
std::vector<Flag> flags_of(Command command);

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

std::string general_help();
std::string command_help(const CommandInfo& command);

// "a,b" as {"a", "b"}.
std::vector<std::string> split_list(std::string_view text, char mark);

}  // namespace packscope::cli
