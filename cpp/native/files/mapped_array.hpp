// SPDX-License-Identifier: MIT
// An array of our own folders without reading it: only what is looked at comes from the disk.
#pragma once

#include <string>

#include "files/array_entries.hpp"
#include "files/mapped_file.hpp"

namespace packscope::native {

class MappedArray {
 public:
  // FOLDER/NAME.npy. Errors where it is not the array that `entry` lists.
  static Result<MappedArray> open(const std::string& folder, const ArrayEntry& entry);

  [[nodiscard]] std::span<const std::byte> bytes() const;

 private:
  explicit MappedArray(MappedFile file) : file_(std::move(file)) {}
  MappedFile file_;
};

}  // namespace packscope::native
