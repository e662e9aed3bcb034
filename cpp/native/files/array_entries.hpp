// SPDX-License-Identifier: MIT
// The arrays of a folder as its manifest lists them.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <vector>

#include "files/json_writer.hpp"

namespace packscope::native {

struct ArrayEntry {
  std::string name;
  std::string descr;
  std::vector<std::uint64_t> shape;
  std::string checksum;  // XXH64 of the values, without the file's header; 16 hex digits
};

// Bytes of a value of a dtype that we write: 4 for "<i4".
std::size_t descr_bytes(std::string_view descr);

// {"input_ids": {"dtype": "<i4", "shape": [..], "checksum": ".."}, ..}
void write_arrays(JsonWriter& json, const std::vector<ArrayEntry>& arrays);
std::vector<ArrayEntry> read_arrays(simdjson::dom::object from);

}  // namespace packscope::native
