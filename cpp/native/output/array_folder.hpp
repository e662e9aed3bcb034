// SPDX-License-Identifier: MIT
// Arrays written into a folder as .npy files, a piece of each at a time.
#pragma once

#include <string>
#include <vector>

#include "files/array_entries.hpp"
#include "output/batch_arrays.hpp"
#include "output/npy_writer.hpp"

namespace packscope::native {

class ArrayFolder {
 public:
  explicit ArrayFolder(std::string folder) : folder_(std::move(folder)) {}

  // Arrays must come in the same order every time.
  Status append(const std::vector<ArrayView>& arrays);
  Status finish(std::vector<ArrayEntry>& entries);

 private:
  std::string folder_;
  std::vector<NpyWriter> writers_;
};

}  // namespace packscope::native
