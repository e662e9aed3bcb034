// SPDX-License-Identifier: MIT
// The scan of flat records against a JSON parser: what the scan takes, the parser takes with the same
// strings.
#include "input/flat_record.hpp"

#include <simdjson.h>

#include <cstring>

#include "fuzz_input.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

// Behind the line stands what a buffer may hold.
std::string padded(FuzzedDataProvider& data, const std::string& line) {
  return line + std::string(native::kFlatPaddingBytes, data.PickValueInArray({' ', '"', '\\', 'a', '\xff'}));
}

void expect_same_string(const native::EscapedString& string, simdjson::dom::element value) {
  std::string_view text;
  expect(value.get(text) == simdjson::SUCCESS, "a string is a string");
  native::TokenStore tokens;
  native::append_bytes_of(string, tokens);
  expect(tokens.size() == string.byte_count && tokens.size() == text.size(), "a string's bytes are counted");
  expect(std::memcmp(tokens.narrow().data(), text.data(), text.size()) == 0,
         "a string's bytes are those of the parser");
}

void expect_same_record(const std::string& line, const std::vector<native::FlatField>& fields) {
  simdjson::dom::parser parser;
  simdjson::dom::object record;
  expect(parser.parse(line).get(record) == simdjson::SUCCESS, "what the scan takes is a JSON object");
  expect(record.size() == fields.size(), "every field is found");
  std::size_t index = 0;
  for (const auto& [key, value] : record) {
    const native::FlatField& field = fields[index++];
    expect(field.key == key, "keys are those of the parser");
    expect(field.is_string == value.is_string(), "strings are those of the parser");
    if (field.is_string) expect_same_string(field.string, value);
  }
}

// A record of strings, most of which the scan takes.
std::string likely_record(FuzzedDataProvider& data) {
  std::string line = "{\"a\":\"";
  line += std::string(data.ConsumeIntegralInRange<std::size_t>(0, 130), 'a');
  line += data.ConsumeRandomLengthString();
  return line + data.PickValueInArray({"\"}", "\",\"b\":1}", "\\\"}", "\" , \"a\":null}"});
}

// A line among others is the one that it is alone.
void expect_same_end(FuzzedDataProvider& data, const std::string& text) {
  using packscope::native::scan_flat_line;
  using packscope::native::scan_flat_record;
  const std::string line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) return;  // belongs to the end
  const std::string end = data.PickValueInArray({"\n", "\r\n"});
  const std::string lines = line + end + data.ConsumeRandomLengthString(200);
  const std::string alone = padded(data, line);
  const std::string among = padded(data, lines);
  std::vector<packscope::native::FlatField> fields;
  const bool is_flat = scan_flat_record(std::string_view(alone).substr(0, line.size()), fields);
  const std::size_t size = scan_flat_line(std::string_view(among).substr(0, lines.size()), fields);
  expect(size == (is_flat ? line.size() + end.size() : 0), "the end of a flat line is found");
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace packscope_fuzz;
  FuzzedDataProvider data(bytes, size);
  const std::string line = data.ConsumeBool() ? likely_record(data) : data.ConsumeRandomLengthString();
  const std::string buffer = padded(data, line);
  std::vector<packscope::native::FlatField> fields;
  if (packscope::native::scan_flat_record(std::string_view(buffer).substr(0, line.size()), fields)) {
    expect_same_record(line, fields);
  }
  expect_same_end(data, line);
  return 0;
}
