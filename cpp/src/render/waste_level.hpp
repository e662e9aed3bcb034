// SPDX-License-Identifier: MIT
// How strongly a share of padding shows.
#pragma once

#include <cstdint>

namespace packscope {

// From 0 to 255 with the square root of the share: most windows of a good plan have little padding, and
// 1% must not look like none.
inline std::uint32_t waste_level(std::uint64_t padding, std::uint64_t positions) {
  if (positions == 0) return 0;
  std::uint32_t level = 0;
  for (std::uint32_t step = 128; step > 0; step /= 2) {
    const std::uint64_t next = level + step;
    if (next * next * positions <= padding * 255 * 255) level += step;
  }
  return level;
}

}  // namespace packscope
