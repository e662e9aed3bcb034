// SPDX-License-Identifier: MIT
// What gzip and zstd have in common: compressed bytes are given piece by piece, plain bytes come out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "packscope/result.hpp"

namespace packscope::native {

class Decompressor {
 public:
  Decompressor() = default;
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  virtual ~Decompressor() = default;

  // Whether all given input is used up, so that the next call of decompress needs give().
  [[nodiscard]] virtual bool hungry() const = 0;

  // The next compressed bytes, which must stay alive until hungry().
  virtual void give(std::span<const char> compressed) = 0;

  // Decompresses into `out` and returns how many bytes were written, possibly 0.
  virtual Result<std::size_t> decompress(std::span<char> out) = 0;

  // Checks that the data may end here.
  virtual Status finish() const = 0;

  // Whether zeros that mean nothing were skipped behind the data.
  [[nodiscard]] virtual bool skipped_zeros() const = 0;

  // Where the owner keeps what it gives.
  std::vector<char> buffer;
};

}  // namespace packscope::native
