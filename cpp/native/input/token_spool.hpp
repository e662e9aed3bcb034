// SPDX-License-Identifier: MIT
// Tokens that memory should not hold: a file without a name, written once from front to back and then looked
// at anywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "files/mapped_file.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

class TokenSpool {
 public:
  // In `folder`, gone from there at once: the file ends with this object, or with the program.
  static Result<TokenSpool> create(const std::string& folder);

  TokenSpool(TokenSpool&& other) noexcept;
  TokenSpool& operator=(TokenSpool&& other) noexcept;
  ~TokenSpool();

  Status append(std::span<const std::int32_t> tokens);
  // Call last; afterwards tokens() gives all of them.
  Status finish();

  [[nodiscard]] std::uint64_t token_count() const { return token_count_; }
  [[nodiscard]] std::span<const std::int32_t> tokens() const;

 private:
  TokenSpool(int file, std::string folder) : file_(file), folder_(std::move(folder)) {}

  int file_ = -1;
  std::string folder_;
  std::uint64_t token_count_ = 0;
  std::optional<MappedFile> mapped_;
};

}  // namespace packscope::native
