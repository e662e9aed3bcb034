// SPDX-License-Identifier: MIT
#include "files/array_entries.hpp"

#include <algorithm>

namespace packscope::native {

std::uint64_t ArrayEntry::value_bytes() const {
  std::uint64_t bytes = descr_bytes(descr);
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && bytes > UINT64_MAX / extent) return UINT64_MAX;
    bytes *= extent;
  }
  return bytes;
}

const ArrayEntry* find_array(const std::vector<ArrayEntry>& arrays, std::string_view name) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const ArrayEntry& array) { return array.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

std::size_t descr_bytes(std::string_view descr) {
  return descr.empty() ? 0 : static_cast<std::size_t>(descr.back() - '0');
}

void write_arrays(JsonWriter& json, const std::vector<ArrayEntry>& arrays) {
  json.begin_object();
  for (const ArrayEntry& array : arrays) {
    json.key(array.name).inline_next().begin_object().member("dtype", array.descr).key("shape").begin_array();
    for (const std::uint64_t extent : array.shape) json.value(extent);
    json.end_array().member("checksum", array.checksum);
    if (!array.file.empty()) json.member("file", array.file).member("offset", array.offset);
    json.end_object();
  }
  json.end_object();
}

}  // namespace packscope::native
