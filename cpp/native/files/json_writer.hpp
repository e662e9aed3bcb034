// SPDX-License-Identifier: MIT
// Builds JSON text: indented for files that people open, on one line for streams.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace packscope::native {

class JsonWriter {
 public:
  enum class Layout : std::uint8_t { indented, one_line };
  explicit JsonWriter(Layout layout) : layout_(layout) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  // What begins next stays on one line until it ends, whatever the layout.
  JsonWriter& inline_next();

  JsonWriter& key(std::string_view name);
  // A field with a list of strings on one line.
  JsonWriter& strings(std::string_view name, std::span<const std::string> values);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(double number);
  template <std::integral Number>
  JsonWriter& value(Number number) {
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    return raw({digits, static_cast<std::size_t>(end - digits)});
  }
  JsonWriter& null() { return raw("null"); }
  JsonWriter& raw(std::string_view json);  // already JSON

  template <class Value>
  JsonWriter& member(std::string_view name, const Value& of) {
    return key(name).value(of);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  void clear() { text_.clear(), first_ = true; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();
  void new_line();

  Layout layout_;
  std::string text_;
  std::uint32_t depth_ = 0;
  std::uint32_t inline_depth_ = UINT32_MAX;  // from this depth on, everything stays on one line
  bool inline_next_ = false;
  bool first_ = true;  // nothing stands yet in what is open
  bool after_key_ = false;
};

void append_json_string(std::string& out, std::string_view text);

}  // namespace packscope::native
