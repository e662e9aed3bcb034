// SPDX-License-Identifier: MIT
#include "files/spool.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kPieceBytes = 1 << 20;

// A program that is killed between two steps would leave a name behind, so there is none where the file
// system can do without. The descriptor, or -1.
int open_without_name(const std::string& folder) {
#ifdef O_TMPFILE
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0) return file;
#endif
  std::string path = concat(folder, "/.packscope-spool-XXXXXX");
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

}  // namespace

Result<Spool> Spool::create(const std::string& folder) {
  const int file = open_without_name(folder);
  if (file < 0) return system_error("cannot write a temporary file in", folder);
  return Spool(file, folder);
}

Spool::Spool(Spool&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      folder_(std::move(other.folder_)),
      size_(other.size_),
      mapped_(std::move(other.mapped_)) {}

Spool& Spool::operator=(Spool&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(folder_, other.folder_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

Spool::~Spool() {
  if (file_ >= 0) close(file_);
}

Status Spool::append(std::span<const std::byte> bytes) {
  const auto* at = reinterpret_cast<const char*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    const ssize_t written = write(file_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("cannot write a temporary file in", folder_);
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  size_ += bytes.size();
  return {};
}

Status Spool::visit(const Visit& visit) const {
  std::vector<std::byte> piece(kPieceBytes);
  for (std::uint64_t at = 0; at < size_;) {
    const ssize_t read = pread(file_, piece.data(), piece.size(), static_cast<off_t>(at));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) return system_error("cannot read a temporary file in", folder_);
    visit(std::span(piece).first(static_cast<std::size_t>(read)));
    at += static_cast<std::uint64_t>(read);
  }
  return {};
}

Status Spool::finish() {
  Result<MappedFile> mapped = MappedFile::of_descriptor(file_, folder_);
  if (!mapped) return mapped.error();
  mapped_.emplace(*std::move(mapped));
  return {};
}

std::span<const std::byte> Spool::bytes() const {
  return mapped_ ? mapped_->bytes() : std::span<const std::byte>();
}

}  // namespace packscope::native
