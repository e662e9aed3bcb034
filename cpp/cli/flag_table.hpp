// SPDX-License-Identifier: MIT
// What the command line takes, as one table: commands, and their flags but for those of the core's options.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

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

struct CommandInfo {
  Command command;
  std::string_view name;
  std::string_view operands;  // "INPUT..."
  std::string_view summary;
  std::string_view example;
};

std::span<const CommandInfo> commands();

struct FlagRow {
  std::uint16_t commands = 0;
  std::string_view name;   // "tokens-field"
  char short_name = 0;     // 'o'
  std::string_view value;  // "NAME"; empty: a switch
  std::string_view group;  // its heading in the help
  std::string_view help;
  bool repeats = false;  // may be given more than once
};

// In the order of the help.
std::span<const FlagRow> flag_rows();

}  // namespace packscope::cli
