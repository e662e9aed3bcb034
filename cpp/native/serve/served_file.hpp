// SPDX-License-Identifier: MIT
// A file that a web server gives away: only from inside its folder, whatever path is asked for, and wherever
// symbolic links lead.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace packscope::native {

class ServedFile {
 public:
  // `path` is relative, with slashes, and decoded. Nothing where it names no regular file inside `folder`,
  // which is canonical; nothing, too, for hidden files and paths with empty or dotted parts.
  static std::optional<ServedFile> open(const std::string& folder, std::string_view path);

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Reads at most into.size() bytes from `offset`; how many, and 0 where there are none or reading failed.
  [[nodiscard]] std::size_t read(std::uint64_t offset, std::span<char> into) const;

 private:
  ServedFile(std::shared_ptr<const int> descriptor, std::uint64_t size)
      : descriptor_(std::move(descriptor)), size_(size) {}

  std::shared_ptr<const int> descriptor_;
  std::uint64_t size_ = 0;
};

// The bytes [begin, end) that a Range header asks for of `size`. Nothing where it asks for what cannot be
// given; several ranges, and other units, cannot.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
std::optional<ByteRange> byte_range(std::string_view header, std::uint64_t size);

}  // namespace packscope::native
