// SPDX-License-Identifier: MIT
// What a list says of an array, counted while its values go by.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "files/array_entries.hpp"
#include "output/batch_arrays.hpp"
#include "packscope/plan.hpp"
#include "packscope/xxh64.hpp"

namespace packscope::native {

class ArrayTally {
 public:
  // `array` gives name, dtype and columns; its values are not read.
  explicit ArrayTally(const ArrayView& array)
      : name_(array.name), descr_(array.descr), value_bytes_(array.value_bytes), columns_(array.columns) {}

  void add(std::span<const std::byte> values) {
    bytes_ += values.size();
    hash_.update(values);
  }

  [[nodiscard]] std::uint64_t width() const { return value_bytes_; }  // bytes of a value
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  // In NAME.npy, until it is told otherwise.
  [[nodiscard]] ArrayEntry entry() const {
    const std::uint64_t values = bytes_ / value_bytes_;
    ArrayEntry entry{name_, descr_, {values}, fingerprint_text(hash_.digest()), {}, 0};
    if (columns_ > 0) entry.shape = {values / columns_, columns_};
    return entry;
  }

 private:
  std::string name_;
  std::string descr_;
  std::uint64_t value_bytes_;
  std::uint64_t columns_;
  std::uint64_t bytes_ = 0;
  Xxh64 hash_;
};

}  // namespace packscope::native
