// SPDX-License-Identifier: MIT
// Decompresses gzip data of any number of members.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "input/decompressor.hpp"

namespace packscope::native {

class GzipDecompressor final : public Decompressor {
 public:
  explicit GzipDecompressor(std::string name);  // the file's name, for errors
  ~GzipDecompressor() override;

  [[nodiscard]] bool hungry() const override;
  void give(std::span<const char> compressed) override;
  Result<std::size_t> decompress(std::span<char> out) override;
  Status finish() const override;
  [[nodiscard]] bool skipped_zeros() const override { return at_ == At::zero_padding; }

 private:
  struct Stream;
  enum class At : std::uint8_t { member, between, zero_padding };

  Status begin_member();

  std::unique_ptr<Stream> stream_;
  std::string name_;
  At at_ = At::between;
  std::uint64_t members_ = 0;
  std::uint64_t bytes_given_ = 0;
};

}  // namespace packscope::native
