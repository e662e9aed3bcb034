// SPDX-License-Identifier: MIT
// Scans over the rooms of open windows. Ties go to the smallest index; kNoRoom where none fits.
#pragma once

#include <cstdint>
#include <span>

namespace packscope {

inline constexpr std::uint32_t kNoRoom = UINT32_MAX;

// The first index with rooms[i] >= needed.
inline std::uint32_t find_first_room(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (rooms[i] >= needed) return static_cast<std::uint32_t>(i);
  }
  return kNoRoom;
}

// The index of the smallest room of at least `needed`. Room below it wraps around to a large surplus.
inline std::uint32_t find_tightest_room(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  std::uint32_t best = kNoRoom;
  std::uint32_t best_surplus = UINT32_MAX - needed;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    const std::uint32_t surplus = rooms[i] - needed;
    if (surplus < best_surplus) {
      best_surplus = surplus;
      best = static_cast<std::uint32_t>(i);
    }
  }
  return best;
}

// The index of the largest room, if it is at least `needed`.
inline std::uint32_t find_roomiest_room(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  std::uint32_t best = kNoRoom;
  std::uint32_t best_room = needed - 1;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (rooms[i] > best_room) {
      best_room = rooms[i];
      best = static_cast<std::uint32_t>(i);
    }
  }
  return best;
}

}  // namespace packscope
