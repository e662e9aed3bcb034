// SPDX-License-Identifier: MIT
#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>

#include "packscope/stats.hpp"

namespace packscope::cli {
namespace {

constexpr double kFirstSeconds = 0.3;  // work that takes less shows nothing
constexpr double kEverySeconds = 0.1;

// Characters that take a place: UTF-8's trailing bytes do not.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string pad_left(const std::string& text, std::size_t to) {
  return std::string(to - std::min(to, width(text)), ' ') + text;
}

std::string pad_right(const std::string& text, std::size_t to) {
  return text + std::string(to - std::min(to, width(text)), ' ');
}

}  // namespace

std::string thousands(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return thousands(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string decimal(double value, int digits) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%.*f", digits, value);
  return {text, static_cast<std::size_t>(std::max(0, size))};
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  return decimal(value, unit > 0 && value < 9.95 ? 1 : 0) + " " + std::string(kUnits[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 0.0995) return decimal(seconds * 1000, seconds < 0.00995 ? 2 : 1) + " ms";
  if (seconds < 120) return decimal(seconds, seconds < 10 ? 2 : 1) + " s";
  return decimal(seconds / 60, 1) + " min";
}

std::string share_text(double share) {
  return share <= 1 ? percent_text(share) : decimal(share * 100, 2) + "%";
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // The second control characters are U+0080 to U+009F: two bytes, of which the first is c2.
    const bool is_second = byte >= 0x80 && byte < 0xa0 && i > 0 && text[i - 1] == '\xc2';
    if (byte >= 0x20 && byte != 0x7f && !is_second) {
      out += text[i];
      continue;
    }
    char escaped[5];
    std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
    if (is_second) out.pop_back();
    out += escaped;
  }
  return out;
}

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

void Talk::say(std::string_view kind, std::string_view text) const {
  if (quiet_) return;
  print(stderr, "packscope: " + std::string(kind) + ": " + printable(text) + "\n");
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? "  " : "   ";
      const bool as_it_comes = i == 0 || i >= rows_[0].size();
      line += as_it_comes ? pad_right(row[i], widths[i]) : pad_left(row[i], widths[i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

Progress::Progress(std::string label, std::string unit, bool quiet)
    : label_(std::move(label)), unit_(std::move(unit)), enabled_(!quiet && isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (shown_) print(stderr, "\r\x1b[K");
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (!enabled_) return;
  const double seconds = watch_.seconds();
  if (seconds < kFirstSeconds || seconds - last_seconds_ < kEverySeconds) return;
  last_seconds_ = seconds;
  shown_ = true;
  const double rate = static_cast<double>(done) / seconds;
  std::string line = "\r\x1b[K" + label_ + " " + thousands(done);
  if (total > 0) line += " of " + thousands(total);
  line += " " + unit_ + ", " + thousands(static_cast<std::uint64_t>(rate)) + " " + unit_ + "/s";
  if (total > done && rate > 0)
    line += ", " + seconds_text(static_cast<double>(total - done) / rate) + " left";
  print(stderr, line);
}

}  // namespace packscope::cli
