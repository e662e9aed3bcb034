// SPDX-License-Identifier: MIT
#include "packscope/concat.hpp"

#include <array>
#include <charconv>

namespace packscope {

void TextPart::append_to(std::string& out) const {
  if (kind_ == Kind::text) {
    out += text_;
    return;
  }
  if (kind_ == Kind::negative) out += '-';
  const std::uint64_t value = kind_ == Kind::negative ? 0 - magnitude_ : magnitude_;
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

std::string join(std::initializer_list<TextPart> parts) {
  std::string out;
  for (const TextPart& part : parts) part.append_to(out);
  return out;
}

}  // namespace packscope
