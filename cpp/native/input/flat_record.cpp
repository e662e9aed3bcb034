// SPDX-License-Identifier: MIT
#include "input/flat_record.hpp"

#include <simdjson.h>

#include <bit>

#include "input/plain_run.hpp"

namespace packscope::native {
namespace {

// The first byte must be the lowest of a word.
constexpr bool kScans = std::endian::native == std::endian::little;
constexpr std::size_t kMaxNumberBytes = 18;  // no such number leaves the range of int64 or of double

// Walks through a record. What it refuses is left to the parser, so it need not say why.
class FlatScanner {
 public:
  explicit FlatScanner(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // One record and the blanks behind it.
  bool scan(std::vector<FlatField>& fields) {
    fields.clear();
    if (!take('{')) return false;
    if (!take('}') && !scan_fields(fields)) return false;
    skip_blanks();
    return true;
  }

  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] const char* at() const { return at_; }
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

  bool scan_fields(std::vector<FlatField>& fields) {
    do {
      FlatField field;
      if (!scan_field(field)) return false;
      fields.push_back(field);
    } while (take(','));
    return take('}');
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
    const PlainRun run = skip_plain(at_, end_);
    ascii_ &= run.ascii;
    if (run.end >= end_ || *run.end != '"') return false;
    const auto size = static_cast<std::size_t>(run.end - at_);
    if (run.saved_bytes > size) return false;  // it is being changed
    string = {std::string_view(at_, size), size - run.saved_bytes};
    at_ = run.end;
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

// A line too long for the parser is left to it, to be refused.
bool is_sound(std::string_view line, const FlatScanner& scanner) {
  if (line.size() > simdjson::SIMDJSON_MAXSIZE_BYTES) return false;
  return scanner.ascii() || simdjson::validate_utf8(line);
}

void append_unescaped(const EscapedString& string, Buffer<std::uint8_t>& bytes) {
  const std::size_t before = bytes.size();
  const char* const begin = string.escaped.data();
  // Not only for the bytes counted: none of its escapes may be there any more.
  bytes.resize(before + string.escaped.size() + kUnescapePadding);
  copy_unescaped(begin, begin + string.escaped.size(), bytes.data() + before);
  bytes.resize(before + string.byte_count);
}

}  // namespace

bool scan_flat_record(std::string_view line, std::vector<FlatField>& fields) {
  if constexpr (!kScans) return false;
  FlatScanner scanner(line);
  return scanner.scan(fields) && scanner.at_end() && is_sound(line, scanner);
}

std::size_t scan_flat_line(std::string_view bytes, std::vector<FlatField>& fields) {
  if constexpr (!kScans) return 0;
  FlatScanner scanner(bytes);
  if (!scanner.scan(fields)) return 0;
  const auto record_bytes = static_cast<std::size_t>(scanner.at() - bytes.data());
  const std::string_view behind = bytes.substr(record_bytes);
  const std::size_t end_bytes = behind.starts_with('\n') ? 1 : behind.starts_with("\r\n") ? 2 : 0;
  if (end_bytes == 0 || !is_sound(bytes.substr(0, record_bytes), scanner)) return 0;
  return record_bytes + end_bytes;
}

void append_bytes_of(const EscapedString& string, TokenStore& tokens) {
  if (!tokens.is_wide()) return append_unescaped(string, tokens.narrow());
  Buffer<std::uint8_t> bytes;
  append_unescaped(string, bytes);
  tokens.append(bytes);
}

}  // namespace packscope::native
