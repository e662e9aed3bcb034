// SPDX-License-Identifier: MIT
// Reads the JSON files that describe our own output: one object each, with "format" and "format_version".
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/array_entries.hpp"
#include "input/repairs.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

class JsonFile {
 public:
  // Errors where the file cannot be read, is no object, or is not of this format and version.
  static Result<JsonFile> read(const std::string& path, std::string_view format, std::uint64_t version);

  // Valid as long as this.
  [[nodiscard]] simdjson::dom::object root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::object root_;
};

// Values of fields; where one is missing or of another type, nothing: "", 0, {}.
std::string string_of(simdjson::dom::object from, std::string_view key);
std::uint64_t number_of(simdjson::dom::object from, std::string_view key);
std::vector<std::string> strings_of(simdjson::dom::object from, std::string_view key);

Repairs read_repairs(simdjson::dom::object from);
// As write_arrays() writes them.
std::vector<ArrayEntry> read_arrays(simdjson::dom::object from);

}  // namespace packscope::native
