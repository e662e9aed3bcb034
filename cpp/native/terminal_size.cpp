// SPDX-License-Identifier: MIT
#include "terminal_size.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace packscope::native {
namespace {

constexpr std::uint32_t kUsualColumns = 80;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::optional<std::uint32_t> terminal_columns() {
  if (!isatty(STDOUT_FILENO)) return std::nullopt;
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsualColumns;
}

ColorDepth terminal_colors() {
  const std::string_view term = variable("TERM");
  if (!isatty(STDOUT_FILENO) || !variable("NO_COLOR").empty() || term == "dumb" || term.empty()) {
    return ColorDepth::none;
  }
  const std::string_view depth = variable("COLORTERM");
  if (depth == "truecolor" || depth == "24bit") return ColorDepth::full;
  return ColorDepth::indexed;
}

}  // namespace packscope::native
