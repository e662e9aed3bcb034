// SPDX-License-Identifier: MIT
#include "input/token_spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "message.hpp"

namespace packscope::native {

Result<TokenSpool> TokenSpool::create(const std::string& folder) {
  std::string path = concat(folder, "/.packscope-tokens-XXXXXX");
  const int file = mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) return system_error("cannot write tokens to a file in", folder);
  unlink(path.c_str());
  return TokenSpool(file, folder);
}

TokenSpool::TokenSpool(TokenSpool&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      folder_(std::move(other.folder_)),
      token_count_(other.token_count_),
      mapped_(std::move(other.mapped_)) {}

TokenSpool& TokenSpool::operator=(TokenSpool&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(folder_, other.folder_);
  std::swap(token_count_, other.token_count_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

TokenSpool::~TokenSpool() {
  if (file_ >= 0) close(file_);
}

Status TokenSpool::append(std::span<const std::int32_t> tokens) {
  const auto* at = reinterpret_cast<const char*>(tokens.data());
  std::size_t left = tokens.size_bytes();
  while (left > 0) {
    const ssize_t written = write(file_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("cannot write tokens to a file in", folder_);
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  token_count_ += tokens.size();
  return {};
}

Status TokenSpool::finish() {
  Result<MappedFile> mapped = MappedFile::of_descriptor(file_, folder_);
  if (!mapped) return mapped.error();
  mapped_.emplace(*std::move(mapped));
  return {};
}

std::span<const std::int32_t> TokenSpool::tokens() const {
  if (!mapped_) return {};
  return {reinterpret_cast<const std::int32_t*>(mapped_->bytes().data()),
          static_cast<std::size_t>(token_count_)};
}

}  // namespace packscope::native
