// SPDX-License-Identifier: MIT
#include "files/mapped_window.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace packscope::native {

MappedWindow::MappedWindow(MappedWindow&& other) noexcept
    : room_(std::exchange(other.room_, nullptr)), room_bytes_(std::exchange(other.room_bytes_, 0)) {}

MappedWindow& MappedWindow::operator=(MappedWindow&& other) noexcept {
  std::swap(room_, other.room_);
  std::swap(room_bytes_, other.room_bytes_);
  return *this;
}

MappedWindow::~MappedWindow() {
  if (room_ != nullptr) munmap(room_, room_bytes_ + kPaddingBytes);
}

// Empty pages, which those of the file then replace but for the padding.
bool MappedWindow::reserve(std::size_t size) {
  if (size <= room_bytes_) return true;
  void* const room = mmap(nullptr, size + kPaddingBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  if (room_ != nullptr) munmap(room_, room_bytes_ + kPaddingBytes);
  room_ = static_cast<char*>(room);
  room_bytes_ = size;
  return true;
}

std::optional<std::string_view> MappedWindow::show(int file, std::uint64_t begin, std::size_t size) {
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t before = begin % page_bytes;  // mappings begin with a page
  const std::size_t pages = (before + size + page_bytes - 1) / page_bytes;
  if (!reserve(pages * page_bytes)) return {};
  const auto from = static_cast<off_t>(begin - before);
  void* const at = mmap(room_, before + size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, from);
  if (at == MAP_FAILED) return {};
  return std::string_view(room_ + before, size);
}

}  // namespace packscope::native
