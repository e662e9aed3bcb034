// SPDX-License-Identifier: MIT
#include "files/npy.hpp"

#include <cassert>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "message.hpp"

namespace packscope::native {
namespace {

using namespace std::string_view_literals;
constexpr std::string_view kMagic = "\x93NUMPY"sv;
constexpr std::uint64_t kMaxHeaderBytes = 1 << 16;

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Reads the Python dictionary of a header, such as
// {'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }. Nothing where it is not one.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  std::optional<NpyHeader> parse() {
    NpyHeader header;
    int fields = 0;
    if (!take('{')) return {};
    while (!take('}')) {
      std::string key;
      if (!quoted(key) || !take(':') || !value(key, header)) return {};
      ++fields;
      if (!take(',') && !peek('}')) return {};
    }
    skip_space();
    if (fields != 3 || at_ != text_.size()) return {};
    return header;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool peek(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    if (!peek(c)) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view expected) {
    skip_space();
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }
  bool quoted(std::string& out) {
    const char quote = peek('"') ? '"' : '\'';
    if (!take(quote)) return false;
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) return false;
    out = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  bool shape(std::vector<std::uint64_t>& out) {
    if (!take('(')) return false;
    while (!take(')')) {
      skip_space();
      std::uint64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (error != std::errc()) return false;
      at_ = static_cast<std::size_t>(end - text_.data());
      take('L');  // Python 2 wrote long integers so
      out.push_back(extent);
      if (!take(',') && !peek(')')) return false;
    }
    return true;
  }
  bool value(std::string_view key, NpyHeader& header) {
    if (key == "descr") return quoted(header.descr);
    if (key == "shape") return shape(header.shape);
    if (key != "fortran_order") return false;
    header.fortran_order = word("True");
    return header.fortran_order || word("False");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Error truncated(std::string_view name, std::size_t missing) {
  return bad_data(name, ": the file ends ", counted_noun(missing, "byte"), " too early; it is truncated");
}

// `read(into)` gives the next into.size() bytes.
template <class Read>
Result<NpyHeader> header_from(std::string_view name, Read read) {
  std::string prefix(kMagic.size() + 2, '\0');
  if (Status got = read(prefix); !got) return got.error();
  if (!prefix.starts_with(kMagic)) {
    return bad_data(name, ": does not begin like a .npy file; say what it is with --input");
  }
  const int version = static_cast<unsigned char>(prefix[kMagic.size()]);
  const int minor = static_cast<unsigned char>(prefix[kMagic.size() + 1]);
  if (version < 1 || version > 3 || minor != 0) {
    return bad_data(name, ": .npy header version ", version, ".", minor,
                    "; versions 1.0, 2.0 and 3.0 are read");
  }
  std::string size(version == 1 ? 2 : 4, '\0');
  if (Status got = read(size); !got) return got.error();
  const std::uint64_t header_bytes = little_endian(size);
  if (header_bytes > kMaxHeaderBytes) {
    return bad_data(name, ": a .npy header of ", header_bytes, " bytes; the limit is ", kMaxHeaderBytes);
  }
  std::string text(header_bytes, '\0');
  if (Status got = read(text); !got) return got.error();
  std::optional<NpyHeader> header = HeaderParser(text).parse();
  if (!header) return bad_data(name, ": the .npy header is malformed or its dtype is structured");
  return *std::move(header);
}

}  // namespace

std::uint64_t NpyHeader::value_count() const {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && count > std::numeric_limits<std::uint64_t>::max() / extent) return UINT64_MAX;
    count *= extent;
  }
  return count;
}

std::string npy_header(const NpyHeader& header) {
  constexpr std::size_t kPrefixBytes = 10;
  std::string text = concat("{'descr': '", header.descr,
                            "', 'fortran_order': ", header.fortran_order ? "True" : "False", ", 'shape': (");
  for (const std::uint64_t extent : header.shape)
    text += concat(extent, header.shape.size() == 1 ? "," : ", ");
  if (header.shape.size() > 1) text.resize(text.size() - 2);
  text += "), }";
  assert(kPrefixBytes + text.size() < kNpyHeaderBytes);
  text.resize(kNpyHeaderBytes - kPrefixBytes - 1, ' ');
  text += '\n';
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(text.size() & 0xff);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

Status read_exactly(ByteSource& source, std::span<char> into) {
  std::size_t size = 0;
  while (size < into.size()) {
    Result<std::size_t> got = source.read(into.subspan(size));
    if (!got) return got.error();
    if (*got == 0) return truncated(source.name(), into.size() - size);
    size += *got;
  }
  return {};
}

std::string shape_text(const NpyHeader& header) {
  std::string text;
  for (const std::uint64_t extent : header.shape) text += concat(text.empty() ? "" : ", ", extent);
  return "(" + text + ")";
}

Result<NpyHeader> read_npy_header(ByteSource& source) {
  return header_from(source.name(), [&](std::span<char> into) { return read_exactly(source, into); });
}

Result<NpyHeader> take_npy_header(std::span<const std::byte>& file, std::string_view name) {
  return header_from(name, [&](std::span<char> into) -> Status {
    if (file.size() < into.size()) return truncated(name, into.size() - file.size());
    std::memcpy(into.data(), file.data(), into.size());
    file = file.subspan(into.size());
    return {};
  });
}

}  // namespace packscope::native
