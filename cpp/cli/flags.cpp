// SPDX-License-Identifier: MIT
#include "flags.hpp"

#include <algorithm>
#include <utility>

#include "message.hpp"
#include "packscope/options.hpp"

namespace packscope::cli {
namespace {

Flag flag_of(const FlagRow& row) {
  return {std::string(row.name),
          row.short_name,
          std::string(row.value),
          std::string(row.help),
          std::string(row.group),
          row.commands,
          {},
          row.repeats};
}

Flag option_flag(const OptionInfo& info, Command command) {
  Flag flag{flag_name(info.name),
            0,
            info.value == "true|false" ? "" : std::string(info.value),
            std::string(info.help),
            info.plans ? "Planning" : "Arrays",
            0,
            std::string(info.name),
            false};
  flag.commands = kPack | kPlan | kCompare;
  if (info.name == "context_length") flag.short_name = 'L';
  if (info.name == "algorithm") flag.short_name = 'a';
  if (command == kCompare && info.name == "context_length") {
    flag.value = "N[,N]";
    flag.help = "Tokens in a window; several lengths give several tables.";
  }
  if (command == kCompare && info.name == "algorithm") {
    flag.value = "NAME[,NAME]|all";
    flag.help = "The algorithms to compare. Default: all.";
  }
  const std::string default_value = get_option(Options{}, info.name);
  const bool is_list = command == kCompare && info.name == "algorithm";
  // "none" of a number and "default" say nothing that the help does not.
  const bool says_nothing = default_value.empty() || default_value == "default" ||
                            (default_value == "none" && info.value.starts_with('N'));
  if (!says_nothing && !flag.value.empty() && !is_list) {
    flag.help += concat(" Default: ", default_value, ".");
  }
  return flag;
}

}  // namespace

std::string flag_name(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::vector<Flag> flags_of(Command command) {
  std::vector<Flag> flags;
  for (const FlagRow& row : flag_rows()) {
    if (row.commands & command) flags.push_back(flag_of(row));
  }
  for (const OptionInfo& info : option_table()) {
    Flag flag = option_flag(info, command);
    if (flag.commands & command) flags.push_back(std::move(flag));
  }
  return flags;
}

}  // namespace packscope::cli
