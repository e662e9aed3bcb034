// SPDX-License-Identifier: MIT
// Building messages: concat("document ", 7, " has ...").
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace packscope {

// A piece of a message: text, or a whole number.
class TextPart {
 public:
  template <std::integral Number>
  TextPart(Number value)
      : magnitude_(static_cast<std::uint64_t>(value)),
        kind_(value < Number{} ? Kind::negative : Kind::number) {}
  TextPart(std::string_view text) : text_(text) {}

  void append_to(std::string& out) const;

 private:
  enum class Kind : std::uint8_t { text, number, negative };

  std::string_view text_;
  std::uint64_t magnitude_ = 0;  // modulo 2^64
  Kind kind_ = Kind::text;
};

// One function for all messages: they are many, and code for each would be most of a small build.
std::string join(std::initializer_list<TextPart> parts);

// What a part of another type says; types have their own beside them.
template <class Part>
const Part& message_part(const Part& part) {
  return part;
}

template <class... Parts>
std::string concat(const Parts&... parts) {
  return join({TextPart(message_part(parts))...});
}

}  // namespace packscope
