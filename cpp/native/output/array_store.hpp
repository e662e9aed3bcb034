// SPDX-License-Identifier: MIT
// Arrays written into a folder, a piece of each at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "files/array_entries.hpp"
#include "output/batch_arrays.hpp"
#include "output/stored_as.hpp"

namespace packscope::native {

class ArrayStore {
 public:
  virtual ~ArrayStore() = default;

  // Arrays must come in the same order every time.
  virtual Status append(const std::vector<ArrayView>& arrays) = 0;
  // Writes what is known only at the end, and lists the arrays.
  virtual Status finish(std::vector<ArrayEntry>& entries) = 0;
};

// `rows`: of the arrays that have columns.
std::unique_ptr<ArrayStore> make_array_store(const std::string& folder, Container container,
                                             std::uint64_t rows);

}  // namespace packscope::native
