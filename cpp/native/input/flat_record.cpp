// SPDX-License-Identifier: MIT
#include "input/flat_record.hpp"

#include <simdjson.h>

#include <bit>
#include <cstring>
#include <optional>

#include "input/byte_words.hpp"
#include "input/plain_run.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kMaxNumberBytes = 18;  // no such number leaves the range of int64 or of double

// The character behind a backslash and a letter, or 0.
char simple_escape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

std::optional<std::uint32_t> hex_number(const char* digits) {
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i) {
    const char digit = digits[i];
    const char letter = static_cast<char>(digit | 0x20);
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && (letter < 'a' || letter > 'f')) return {};
    number = number << 4 | static_cast<std::uint32_t>(decimal ? digit - '0' : letter - 'a' + 10);
  }
  return number;
}

struct Character {
  std::uint32_t code_point = 0;
  std::size_t escaped_bytes = 0;

  [[nodiscard]] std::size_t utf8_bytes() const {
    return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
  }
};

// The character of the escape at `from`, which may be a pair of surrogates; nothing where it is malformed.
// Looks at up to 12 bytes.
std::optional<Character> unescape(const char* from) {
  if (from[1] != 'u') {
    const char simple = simple_escape(from[1]);
    if (simple == 0) return {};
    return Character{static_cast<std::uint32_t>(simple), 2};
  }
  const std::optional<std::uint32_t> first = hex_number(from + 2);
  if (!first) return {};
  if (*first < 0xd800 || *first > 0xdfff) return Character{*first, 6};
  if (*first >= 0xdc00 || from[6] != '\\' || from[7] != 'u') return {};
  const std::optional<std::uint32_t> second = hex_number(from + 8);
  if (!second || *second < 0xdc00 || *second > 0xdfff) return {};
  return Character{0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), 12};
}

// Writes the UTF-8 of a code point and returns where it ends.
std::uint8_t* write_utf8(const Character& character, std::uint8_t* out) {
  const std::size_t size = character.utf8_bytes();
  const std::uint32_t code_point = character.code_point;
  if (size == 1) {
    *out = static_cast<std::uint8_t>(code_point);
    return out + 1;
  }
  constexpr std::uint32_t kLeads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (std::size_t i = size; i-- > 0;) {
    const auto shift = static_cast<int>(6 * (size - 1 - i));
    const std::uint32_t bits = code_point >> shift;
    out[i] = static_cast<std::uint8_t>(i == 0 ? kLeads[size] | bits : 0x80 | (bits & 0x3f));
  }
  return out + size;
}

// Walks through one line. What it refuses is left to the parser, so it need not say why.
class FlatScanner {
 public:
  explicit FlatScanner(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool scan(std::vector<FlatField>& fields) {
    fields.clear();
    if (!take('{')) return false;
    if (take('}')) return at_end();
    do {
      FlatField field;
      if (!scan_field(field)) return false;
      fields.push_back(field);
    } while (take(','));
    return take('}') && at_end();
  }

  [[nodiscard]] bool ascii() const { return ascii_; }

 private:
  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }

  bool take(char expected) {
    skip_blanks();
    if (at_ >= end_ || *at_ != expected) return false;
    ++at_;
    return true;
  }

  bool at_end() {
    skip_blanks();
    return at_ == end_;
  }

  bool scan_field(FlatField& field) {
    EscapedString key;
    if (!take('"') || !scan_string(key) || key.byte_count != key.escaped.size()) return false;
    field.key = key.escaped;
    if (!take(':')) return false;
    field.is_string = take('"');
    return field.is_string ? scan_string(field.string) : scan_word() || scan_number();
  }

  // From behind the opening quote to behind the closing one.
  bool scan_string(EscapedString& string) {
    const char* const begin = at_;
    std::size_t saved_bytes = 0;
    while (true) {
      const PlainRun run = skip_plain(at_, end_);
      ascii_ &= run.ascii;
      saved_bytes += run.escapes;
      at_ = run.end;
      if (at_ >= end_) return false;
      if (*at_ == '"') break;
      const std::optional<Character> character = *at_ == '\\' ? unescape(at_) : std::nullopt;
      if (!character) return false;
      at_ += character->escaped_bytes;
      saved_bytes += character->escaped_bytes - character->utf8_bytes();
    }
    const auto size = static_cast<std::size_t>(at_ - begin);
    string = {std::string_view(begin, size), size - saved_bytes};
    ++at_;
    return true;
  }

  std::size_t skip_digits() {
    const char* const begin = at_;
    while (at_ < end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return static_cast<std::size_t>(at_ - begin);
  }

  // Without an exponent. What is refused ends the scan, wherever it stopped.
  bool scan_number() {
    const char* const begin = at_;
    if (at_ < end_ && *at_ == '-') ++at_;
    const char* const first = at_;
    const std::size_t digits = skip_digits();
    if (digits == 0 || (digits > 1 && *first == '0')) return false;
    if (at_ < end_ && *at_ == '.') {
      ++at_;
      if (skip_digits() == 0) return false;
    }
    return static_cast<std::size_t>(at_ - begin) <= kMaxNumberBytes;
  }

  // Stays where it is unless a word stands there.
  bool scan_word() {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    for (const std::string_view word : {"null", "true", "false"}) {
      if (!rest.starts_with(word)) continue;
      at_ += word.size();
      return true;
    }
    return false;
  }

  const char* at_;
  const char* const end_;
  bool ascii_ = true;  // all strings
};

void append_unescaped(const EscapedString& string, Buffer<std::uint8_t>& bytes) {
  const std::size_t size = bytes.size() + string.byte_count;
  bytes.resize(size + kWordBytes);  // whole words are written
  std::uint8_t* out = bytes.data() + (size - string.byte_count);
  const char* at = string.escaped.data();
  const char* const end = at + string.escaped.size();
  while (at < end) {
    std::memcpy(out, at, kWordBytes);
    const std::uint64_t backslashes = bytes_equal(load_word(at), '\\');
    const std::size_t plain = backslashes == 0 ? kWordBytes : first_marked(backslashes);
    at += plain;
    out += plain;
    if (plain == kWordBytes || at >= end) continue;
    // scan_flat_record has found it well-formed.
    const Character character = unescape(at).value_or(Character{});
    out = write_utf8(character, out);
    at += character.escaped_bytes;
  }
  bytes.resize(size);
}

}  // namespace

bool scan_flat_record(std::string_view line, std::vector<FlatField>& fields) {
  // The first byte must be the lowest of a word; and a line so long is for the parser to refuse.
  if constexpr (std::endian::native != std::endian::little) return false;
  if (line.size() > simdjson::SIMDJSON_MAXSIZE_BYTES) return false;
  FlatScanner scanner(line);
  if (!scanner.scan(fields)) return false;
  return scanner.ascii() || simdjson::validate_utf8(line);
}

void append_bytes_of(const EscapedString& string, TokenStore& tokens) {
  if (!tokens.is_wide()) return append_unescaped(string, tokens.narrow());
  Buffer<std::uint8_t> bytes;
  append_unescaped(string, bytes);
  tokens.append(bytes);
}

}  // namespace packscope::native
