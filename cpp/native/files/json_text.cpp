// SPDX-License-Identifier: MIT
#include "files/json_text.hpp"

#include <cstring>

#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kMaxValueText = 40;

unsigned byte_at(std::string_view text, std::size_t index) { return static_cast<unsigned char>(text[index]); }

// Bytes of the character that begins at `index`, or 0 where none does.
std::size_t character_bytes(std::string_view text, std::size_t index) {
  const unsigned first = byte_at(text, index);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || index + bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte_at(text, index + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte_at(text, index + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond_unicode = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond_unicode ? 0 : bytes;
}

// The first of the words that look like numbers but are not JSON, outside strings.
std::string_view find_false_number(std::string_view line) {
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && in_string) {
      ++i;
    } else if (line[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      for (std::string_view word :
           {"NaN", "nan", "-Infinity", "Infinity", "None", "True", "False", "undefined"}) {
        if (line.substr(i).starts_with(word)) return word;
      }
    }
  }
  return {};
}

std::string explain_syntax(std::string_view line) {
  const std::string_view word = find_false_number(line);
  if (!word.empty()) return concat(word, " is not JSON; write a number or null");
  const std::size_t first = line.find_first_not_of(" \t");
  const std::size_t last = line.find_last_not_of(" \t,");
  if (first != std::string_view::npos && line[first] == '{' && line[last] != '}') {
    return "the object is not closed on its line; JSON lines hold one whole object a line";
  }
  return "not valid JSON; each line must be one whole object like {\"input_ids\": [1, 2]}";
}

}  // namespace

std::optional<std::uint64_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_bytes(text, i);
    if (bytes == 0) return i;
    i += bytes;
  }
  return {};
}

bool has_lone_surrogate(std::string_view unescaped) {
  const char* from = unescaped.data();
  const char* const end = from + unescaped.size();
  while (const void* found = std::memchr(from, 0xed, static_cast<std::size_t>(end - from))) {
    from = static_cast<const char*>(found) + 1;
    if (from == end) return false;
    if (static_cast<unsigned char>(*from) >= 0xa0) return true;
  }
  return false;
}

std::string_view type_name(simdjson::dom::element element) {
  using simdjson::dom::element_type;
  switch (element.type()) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "true or false";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

std::string value_text(simdjson::dom::element element) {
  using simdjson::dom::element_type;
  if (element.type() == element_type::ARRAY || element.type() == element_type::OBJECT) {
    return std::string(type_name(element));
  }
  std::string text = simdjson::minify(element);
  if (text.size() <= kMaxValueText) return text;
  text.resize(kMaxValueText);
  while (!text.empty() && first_invalid_utf8(text)) text.pop_back();
  return text + "...";
}

std::string explain(simdjson::error_code code, std::string_view line) {
  switch (code) {
    case simdjson::UTF8_ERROR: {
      const std::optional<std::uint64_t> at = first_invalid_utf8(line);
      return concat("byte ", at.value_or(0) + 1,
                    " of the line is not valid UTF-8; convert the file to UTF-8");
    }
    case simdjson::DEPTH_ERROR:
      return concat("lists and objects nested deeper than ", simdjson::DEFAULT_MAX_DEPTH, " levels");
    case simdjson::CAPACITY:
      return concat("the line has ", line.size(), " bytes; the limit is ", simdjson::SIMDJSON_MAXSIZE_BYTES);
    case simdjson::STRING_ERROR:
      return "a string holds a bad escape; half of a surrogate pair such as \\ud800 is no character";
    case simdjson::UNESCAPED_CHARS:
      return "a string holds a control character that must be escaped (a tab is \\t)";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed on its line; a line feed inside a string is written \\n";
    case simdjson::NUMBER_ERROR: {
      const std::string_view word = find_false_number(line);
      if (!word.empty()) return explain_syntax(line);
      return "a number is malformed or an integer beyond 64 bits";
    }
    default:
      return explain_syntax(line);
  }
}

}  // namespace packscope::native
