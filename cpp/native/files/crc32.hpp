// SPDX-License-Identifier: MIT
// CRC-32 as ZIP and gzip count it.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace packscope::native {

// Of `bytes` behind those whose CRC-32 is `before`.
inline std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t before = 0) {
  if (bytes.empty()) return before;  // zlib begins anew where there is no address
  const auto* from = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<std::uint32_t>(crc32_z(before, from, bytes.size()));
}

}  // namespace packscope::native
