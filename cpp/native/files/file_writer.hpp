// SPDX-License-Identifier: MIT
// A file, or standard output, that is written from front to back and reports every refusal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "packscope/result.hpp"

namespace packscope::native {

class FileWriter {
 public:
  static Result<FileWriter> create(const std::string& path);
  static FileWriter standard_output();

  Status write(std::string_view bytes);
  // Writes there, and goes on behind it. Not for standard output.
  Status write_at(std::uint64_t offset, std::string_view bytes);
  // Call last: only then is everything known to be written.
  Status close();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  FileWriter(std::FILE* file, std::string name) : file_(file), name_(std::move(name)) {}
  [[nodiscard]] Error refusal() const;

  std::unique_ptr<std::FILE, CloseFile> file_;
  std::string name_;
};

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Creates `path` with this content.
Status write_text_file(const std::string& path, std::string_view text);

// The reader of our output has gone, which is no fault: end quietly.
bool is_broken_pipe(const Error& error);

}  // namespace packscope::native
