// SPDX-License-Identifier: MIT
// Scans over the rooms of open windows, in SIMD where that is built in and the processor has it. Rooms are at
// most 2^31 - 1. Ties go to the smallest index; kNoRoom where none fits.
#pragma once

#include <cstdint>
#include <span>

namespace packscope {

inline constexpr std::uint32_t kNoRoom = UINT32_MAX;

struct RoomScan {
  using Scan = std::uint32_t (*)(std::span<const std::uint32_t> rooms, std::uint32_t needed);
  Scan first;     // the first index with rooms[i] >= needed
  Scan tightest;  // the index of the smallest room of at least `needed`
  Scan roomiest;  // the index of the largest room, if it is at least `needed`
};

RoomScan scalar_room_scan();

// The fastest for this processor.
RoomScan room_scan();

}  // namespace packscope
