// SPDX-License-Identifier: MIT
// What is wrong with a line of JSON, in words, with the byte where it can be told.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace packscope::native {

// The byte offset of the first byte that is not valid UTF-8.
std::optional<std::uint64_t> first_invalid_utf8(std::string_view text);

// Whether valid UTF-8 input became invalid by an escape such as \udc00: half a character.
bool has_lone_surrogate(std::string_view unescaped);

// "a number", "null", "a list", ... for messages.
std::string_view type_name(simdjson::dom::element element);

// The value as it may stand in a message: short, one line.
std::string value_text(simdjson::dom::element element);

// Why simdjson refused `line`.
std::string explain(simdjson::error_code code, std::string_view line);

}  // namespace packscope::native
