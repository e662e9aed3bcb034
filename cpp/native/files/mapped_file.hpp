// SPDX-License-Identifier: MIT
// A file's bytes without reading them all: the operating system brings in what is looked at.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "packscope/result.hpp"

namespace packscope::native {

class MappedFile {
 public:
  // Errors where `path` cannot be opened or is no regular file. The file must not shrink while it is mapped.
  static Result<MappedFile> open(const std::string& path);

  // Of an open file, which may be closed afterwards; `name` is for errors.
  static Result<MappedFile> of_descriptor(int file, const std::string& name);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace packscope::native
