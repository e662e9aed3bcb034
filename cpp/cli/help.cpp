// SPDX-License-Identifier: MIT
#include "help.hpp"

#include <vector>

#include "arguments.hpp"
#include "flags.hpp"
#include "message.hpp"
#include "output/manifest.hpp"

namespace packscope::cli {
namespace {

constexpr std::size_t kHelpColumn = 30;
constexpr std::size_t kHelpWidth = 96;

std::string wrap_text(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (const std::string& word : split_list(text, ' ')) {
    if (column > indent && column + 1 + word.size() > kHelpWidth) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string flag_help(const Flag& flag) {
  std::string left = "  ";
  left += flag.short_name ? concat("-", std::string_view(&flag.short_name, 1), ", ") : "    ";
  left += "--" + flag.name;
  if (!flag.value.empty()) left += " " + flag.value;
  if (left.size() + 2 > kHelpColumn) {
    left += '\n';
    left.append(kHelpColumn, ' ');
  } else {
    left.resize(kHelpColumn, ' ');
  }
  return left + wrap_text(flag.help, kHelpColumn) + "\n";
}

}  // namespace

std::string general_help() {
  std::string text = concat("packscope ", native::version_text(),
                            ": packs tokenized documents into fixed-length windows for training, every token "
                            "accounted for.\n\nUsage: packscope COMMAND ...\n\n");
  for (const CommandInfo& command : commands()) {
    std::string left = "  " + std::string(command.name);
    left.resize(15, ' ');
    text += left + std::string(command.summary) + "\n";
  }
  text +=
      "\npackscope COMMAND --help explains a command; packscope --version prints the version.\n\nExample:\n "
      " ";
  return text + std::string(commands().front().example) + "\n";
}

std::string command_help(const CommandInfo& command) {
  std::string text = concat("Usage: packscope ", command.name, command.operands.empty() ? "" : " ",
                            command.operands, " [FLAGS]\n\n", command.summary, "\n");
  std::string group;
  std::vector<Flag> flags = flags_of(command.command);
  // The two flags of every run come first in their group; the table's order does that already.
  const std::vector<std::string> order{"Planning", "Arrays", "Input",  "Window", "Mask",
                                       "Picture",  "Output", "Server", "Report"};
  for (const std::string& heading : order) {
    bool first = true;
    for (const Flag& flag : flags) {
      if (flag.group != heading) continue;
      if (first) text += "\n" + heading + "\n";
      first = false;
      text += flag_help(flag);
    }
  }
  return text + "\nExample:\n  " + std::string(command.example) + "\n";
}

}  // namespace packscope::cli
