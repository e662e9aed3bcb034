// SPDX-License-Identifier: MIT
// Writes one .npy file piece by piece; its shape is set at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/file_writer.hpp"
#include "output/batch_arrays.hpp"
#include "packscope/xxh64.hpp"

namespace packscope::native {

class NpyWriter {
 public:
  // `array` gives name, dtype and columns; its values are not read. The file is FOLDER/NAME.npy.
  static Result<NpyWriter> create(const std::string& folder, const ArrayView& array);

  Status append(std::span<const std::byte> values);
  Status finish();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& descr() const { return descr_; }
  [[nodiscard]] std::vector<std::uint64_t> shape() const;
  [[nodiscard]] std::string checksum() const;  // XXH64 of the values, 16 hex digits

 private:
  NpyWriter(FileWriter file, const ArrayView& array)
      : file_(std::move(file)),
        name_(array.name),
        descr_(array.descr),
        value_bytes_(array.value_bytes),
        columns_(array.columns) {}

  FileWriter file_;
  std::string name_;
  std::string descr_;
  std::uint64_t value_bytes_;
  std::uint64_t columns_;
  std::uint64_t bytes_ = 0;
  Xxh64 hash_;
};

}  // namespace packscope::native
