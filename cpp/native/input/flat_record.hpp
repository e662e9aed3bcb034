// SPDX-License-Identifier: MIT
// Finds the strings of a JSON record that holds no list and no object: the usual line of text data, read
// several times faster than by a parser that builds a tree.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "input/plain_run.hpp"
#include "input/token_store.hpp"

namespace packscope::native {

// A string as it stands between its quotes, and the bytes of UTF-8 that it stands for.
struct EscapedString {
  std::string_view escaped;
  std::uint64_t byte_count = 0;
};

struct FlatField {
  std::string_view key;
  bool is_string = false;  // or a number, true, false or null
  EscapedString string;
};

// Bytes behind a line, or behind the bytes it is looked for in, that must be readable.
inline constexpr std::size_t kFlatPaddingBytes = kPlainRunPadding;

// The scans may look at memory that others change meanwhile: what they find is then any, but inside it.

// Fills `fields` where `line` is surely valid JSON: one object whose keys have no escapes and whose values
// are strings, numbers of a few digits, true, false or null. False says nothing: the line may be richer, or
// wrong, and is for the parser.
[[nodiscard]] bool scan_flat_record(std::string_view line, std::vector<FlatField>& fields);

// The same for the first line of `bytes`, whose end need not be known before: its size with its end, or 0
// where it is no such record or does not end within `bytes`.
[[nodiscard]] std::size_t scan_flat_line(std::string_view bytes, std::vector<FlatField>& fields);

// Appends the bytes that `string`, found by a scan, stands for: one token each. Where it has been changed
// since, these are any.
void append_bytes_of(const EscapedString& string, TokenStore& tokens);

}  // namespace packscope::native
