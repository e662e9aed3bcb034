// SPDX-License-Identifier: MIT
// Decompresses zstd data of any number of frames.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "input/decompressor.hpp"

namespace packscope::native {

class ZstdDecompressor final : public Decompressor {
 public:
  explicit ZstdDecompressor(std::string name);  // the file's name, for errors
  ~ZstdDecompressor() override;

  [[nodiscard]] bool hungry() const override;
  void give(std::span<const char> compressed) override;
  Result<std::size_t> decompress(std::span<char> out) override;
  Status finish() const override;
  [[nodiscard]] bool skipped_zeros() const override { return false; }

 private:
  struct Stream;

  [[nodiscard]] Error damaged(std::size_t code) const;

  std::unique_ptr<Stream> stream_;
  std::string name_;
  bool in_frame_ = false;
  std::uint64_t frames_ = 0;
  std::uint64_t bytes_given_ = 0;
};

}  // namespace packscope::native
