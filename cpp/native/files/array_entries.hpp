// SPDX-License-Identifier: MIT
// The arrays of a folder as its manifest lists them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/json_writer.hpp"

namespace packscope::native {

struct ArrayEntry {
  std::string name;
  std::string descr;
  std::vector<std::uint64_t> shape;
  std::string checksum;      // XXH64 of the values, without the file's header; 16 hex digits
  std::string file;          // empty: NAME.npy
  std::uint64_t offset = 0;  // of the values in `file`, where one is named

  [[nodiscard]] std::string file_name() const { return file.empty() ? name + ".npy" : file; }
  // Of the values; UINT64_MAX where the shape's product passes 64 bits.
  [[nodiscard]] std::uint64_t value_bytes() const;
};

// Bytes of a value of a dtype that we write: 4 for "<i4".
std::size_t descr_bytes(std::string_view descr);

// {"input_ids": {"dtype": "<i4", "shape": [..], "checksum": ".."}, ..}, with "file" and "offset" where the
// array is not in NAME.npy.
void write_arrays(JsonWriter& json, const std::vector<ArrayEntry>& arrays);

// The one of this name, or none.
const ArrayEntry* find_array(const std::vector<ArrayEntry>& arrays, std::string_view name);

}  // namespace packscope::native
