// SPDX-License-Identifier: MIT
// What people see: numbers with thousands, aligned tables, progress, and talk on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace packscope::cli {

std::string thousands(std::uint64_t value);                       // "1,234,567"
std::string counted(std::uint64_t count, std::string_view noun);  // "1 document", "2 documents"
std::string decimal(double value, int digits);
std::string bytes_text(std::uint64_t bytes);  // "1.3 GB"
std::string seconds_text(double seconds);     // "3.2 ms", "12.4 s"
// 0.0531 as "5.31%", for shares that may exceed 1.
std::string share_text(double share);

// `text` in one line that no terminal acts on: control characters as \x1b.
std::string printable(std::string_view text);

void print(std::FILE* to, std::string_view text);

// Warnings and notes, on standard error unless --quiet.
class Talk {
 public:
  explicit Talk(bool quiet) : quiet_(quiet) {}
  void warn(std::string_view text) const { say("warning", text); }
  void note(std::string_view text) const { say("note", text); }

 private:
  void say(std::string_view kind, std::string_view text) const;
  bool quiet_;
};

// Columns as wide as their widest cell: the first left-aligned, the others right-aligned, and cells past
// the header as they come.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// One line on standard error with rate and time left, where that is a terminal and the work takes longer
// than a moment. Cleared when it ends.
class Progress {
 public:
  Progress(std::string label, std::string unit, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::uint64_t done, std::uint64_t total);  // total 0: unknown

 private:
  std::string label_;
  std::string unit_;
  bool enabled_;
  bool shown_ = false;
  double last_seconds_ = 0;
  Stopwatch watch_;
};

}  // namespace packscope::cli
