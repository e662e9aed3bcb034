// SPDX-License-Identifier: MIT
#include "serve/served_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "packscope/concat.hpp"

namespace packscope::native {
namespace {

bool is_plain_part(std::string_view part) {
  return !part.empty() && part.front() != '.' && part.find('\0') == std::string_view::npos;
}

bool is_plain_path(std::string_view path) {
  while (true) {
    const std::size_t slash = path.find('/');
    if (!is_plain_part(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

std::shared_ptr<const int> open_descriptor(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) return {};
  return {new int(number), [](const int* held) {
            close(*held);
            delete held;
          }};
}

// Asked of what is open, so that nothing can change between looking and reading.
bool lies_in(int descriptor, const std::string& folder) {
  std::error_code error;
  const std::filesystem::path real =
      std::filesystem::read_symlink(concat("/proc/self/fd/", descriptor), error);
  return !error && real.string().starts_with(folder == "/" ? folder : folder + "/");
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

std::optional<ServedFile> ServedFile::open(const std::string& folder, std::string_view path) {
  if (!is_plain_path(path)) return {};
  std::shared_ptr<const int> descriptor = open_descriptor(concat(folder, "/", path));
  struct stat info {};
  if (!descriptor || fstat(*descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return {};
  if (!lies_in(*descriptor, folder)) return {};
  return ServedFile(std::move(descriptor), static_cast<std::uint64_t>(info.st_size));
}

std::size_t ServedFile::read(std::uint64_t offset, std::span<char> into) const {
  const ssize_t got = pread(*descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

std::optional<ByteRange> byte_range(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit)) return {};
  header.remove_prefix(kUnit.size());
  const std::size_t dash = header.find('-');
  if (dash == std::string_view::npos || size == 0) return {};
  const std::optional<std::uint64_t> first = whole_number(header.substr(0, dash));
  const std::string_view rest = header.substr(dash + 1);
  const std::optional<std::uint64_t> last = rest.empty() ? size - 1 : whole_number(rest);
  if (!last) return {};
  if (dash == 0) {  // the last so many bytes
    if (rest.empty() || *last == 0) return {};
    return ByteRange{size - std::min(*last, size), size};
  }
  if (!first || *first >= size || *last < *first) return {};
  return ByteRange{*first, std::min(*last, size - 1) + 1};
}

}  // namespace packscope::native
