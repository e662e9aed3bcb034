// SPDX-License-Identifier: MIT
#include "files/json_writer.hpp"

#include <cmath>

#include "files/json_text.hpp"

namespace packscope::native {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  if (code >= 0x20) {
    out += c;
    return;
  }
  out += "\\u00";
  out += kHexDigits[code >> 4];
  out += kHexDigits[code & 15];
}

}  // namespace

// A file name may hold any bytes; what is not UTF-8 becomes the replacement character.
void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t valid = first_invalid_utf8(text).value_or(text.size());
    for (const char c : text.substr(0, valid)) append_escaped(out, c);
    if (valid == text.size()) break;
    out += kReplacement;
    text.remove_prefix(valid + 1);
  }
  out += '"';
}

JsonWriter& JsonWriter::inline_next() {
  inline_next_ = inline_depth_ == UINT32_MAX;
  return *this;
}

JsonWriter& JsonWriter::strings(std::string_view name, std::span<const std::string> values) {
  key(name).inline_next().begin_array();
  for (const std::string& text : values) value(text);
  return end_array();
}

void JsonWriter::new_line() {
  if (layout_ == Layout::one_line || depth_ >= inline_depth_) return;
  text_ += '\n';
  text_.append(2 * depth_, ' ');
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  const bool spaced = layout_ == Layout::indented && depth_ >= inline_depth_;
  if (!first_) text_ += spaced ? ", " : ",";
  first_ = false;
  if (depth_ > 0) new_line();
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  ++depth_;
  first_ = true;
  if (inline_next_) inline_depth_ = depth_;
  inline_next_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool was_inline = depth_ >= inline_depth_;
  --depth_;
  if (!first_ && !was_inline) new_line();
  if (depth_ < inline_depth_) inline_depth_ = UINT32_MAX;
  text_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(text_, name);
  text_ += layout_ == Layout::indented ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(text_, text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  return raw({digits, static_cast<std::size_t>(end - digits)});
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  text_ += json;
  return *this;
}

}  // namespace packscope::native
