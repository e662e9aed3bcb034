// SPDX-License-Identifier: MIT
// XXH64, the 64-bit hash of fingerprints, checksummed piece by piece.
// Source: the xxHash specification, XXH64 (Collet, github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace packscope {

class Xxh64 {
 public:
  void update(std::span<const std::byte> bytes);
  void update_u32(std::uint32_t value);
  [[nodiscard]] std::uint64_t digest() const;

 private:
  using Lanes = std::array<std::uint64_t, 4>;

  static void consume_stripe(Lanes& lanes, const std::byte* stripe);

  Lanes lanes_ = {0x60ea27eeadc0b5d6, 0xc2b2ae3d27d4eb4f, 0, 0x61c8864e7a143579};
  std::array<std::byte, 32> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_size_ = 0;
};

}  // namespace packscope
