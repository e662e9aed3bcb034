// SPDX-License-Identifier: MIT
// A histogram indexed by length that is only as large as the longest length in it: a window may be far
// longer than any document.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace packscope {

class LengthCounts {
 public:
  void add(std::uint32_t length, std::uint64_t count = 1) {
    if (length >= counts_.size()) grow(length);
    counts_[length] += count;
  }

  // counts()[length]; ends at or after the longest length.
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  void grow(std::uint32_t length) { counts_.resize(std::max(counts_.size() * 2, std::size_t{length} + 1)); }

  std::vector<std::uint64_t> counts_;
};

}  // namespace packscope
