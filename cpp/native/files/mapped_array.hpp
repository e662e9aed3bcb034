// SPDX-License-Identifier: MIT
// An array of our own folders without reading it: only what is looked at comes from the disk.
#pragma once

#include <string>

#include "files/array_entries.hpp"
#include "files/mapped_file.hpp"

namespace packscope::native {

class MappedArray {
 public:
  // Errors where the file is not the array that `entry` lists. Only those of .npy files are aligned.
  static Result<MappedArray> open(const std::string& folder, const ArrayEntry& entry);

  // Its file, and its name where the file holds others too.
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  MappedArray(MappedFile file, std::string place, std::span<const std::byte> bytes)
      : file_(std::move(file)), place_(std::move(place)), bytes_(bytes) {}

  MappedFile file_;
  std::string place_;
  std::span<const std::byte> bytes_;
};

}  // namespace packscope::native
