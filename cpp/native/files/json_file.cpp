// SPDX-License-Identifier: MIT
#include "files/json_file.hpp"

#include "files/json_text.hpp"
#include "input/byte_source.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

ArrayEntry read_array(std::string_view name, simdjson::dom::object from) {
  ArrayEntry array{std::string(name),           string_of(from, "dtype"), {},
                   string_of(from, "checksum"), string_of(from, "file"),  0};
  if (!array.file.empty()) array.offset = number_of(from, "offset");
  simdjson::dom::array shape;
  if (from["shape"].get(shape) != simdjson::SUCCESS) return array;
  for (const simdjson::dom::element extent : shape) {
    std::uint64_t value = 0;
    if (extent.get(value) == simdjson::SUCCESS) array.shape.push_back(value);
  }
  return array;
}

}  // namespace

Result<JsonFile> JsonFile::read(const std::string& path, std::string_view format, std::uint64_t version) {
  Result<ByteSource> source = ByteSource::open(path);
  if (!source) return source.error();
  Result<std::string> text = read_all(*source, {});
  if (!text) return text.error();
  JsonFile file;
  const simdjson::error_code parsed = file.parser_->parse(*text).get(file.root_);
  if (parsed != simdjson::SUCCESS) return bad_data(path, ": ", explain(parsed, *text));
  if (string_of(file.root_, "format") != format) return bad_data(path, ": was not written by packscope");
  const std::uint64_t found = number_of(file.root_, "format_version");
  if (found != version) return bad_data(path, ": format version ", found, "; this program reads ", version);
  return file;
}

std::string string_of(simdjson::dom::object from, std::string_view key) {
  std::string_view text;
  return from[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::uint64_t number_of(simdjson::dom::object from, std::string_view key) {
  std::uint64_t number = 0;
  return from[key].get(number) == simdjson::SUCCESS ? number : 0;
}

Repairs read_repairs(simdjson::dom::object from) {
  Repairs repairs;
  for (const auto& [name, count] : kRepairCounts) repairs.*count = number_of(from, name);
  return repairs;
}

std::vector<std::string> strings_of(simdjson::dom::object from, std::string_view key) {
  std::vector<std::string> values;
  simdjson::dom::array list;
  if (from[key].get(list) != simdjson::SUCCESS) return values;
  for (const simdjson::dom::element value : list) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) values.emplace_back(text);
  }
  return values;
}

std::vector<ArrayEntry> read_arrays(simdjson::dom::object from) {
  std::vector<ArrayEntry> arrays;
  for (const simdjson::dom::key_value_pair& entry : from) {
    simdjson::dom::object array;
    if (entry.value.get(array) == simdjson::SUCCESS) arrays.push_back(read_array(entry.key, array));
  }
  return arrays;
}

}  // namespace packscope::native
