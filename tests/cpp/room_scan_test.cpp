// SPDX-License-Identifier: MIT
// The SIMD scans over open windows against their scalar twins, on every length and every instruction set that
// this processor has.
#include "kernels/room_scan.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "every_target.hpp"
#include "packscope/random.hpp"

namespace packscope {
namespace {

constexpr std::size_t kLongest = 67;  // more than four vectors of the widest registers, and every tail

std::vector<std::uint32_t> random_rooms(Random& random, std::size_t count, std::uint32_t largest) {
  std::vector<std::uint32_t> rooms(count);
  for (std::uint32_t& room : rooms)
    room = static_cast<std::uint32_t>(random.below(std::uint64_t{largest} + 1));
  return rooms;
}

void expect_same_as_scalar(const RoomScan& scan, const std::string& name) {
  const RoomScan expected = scalar_room_scan();
  Random random(7);
  for (const std::uint32_t largest : {3u, 40u, 2048u, (1u << 24) + 2}) {
    for (std::size_t count = 0; count <= kLongest; ++count) {
      const std::vector<std::uint32_t> rooms = random_rooms(random, count, largest);
      for (const std::uint32_t needed : {0u, 1u, largest / 2, largest - 1, largest, largest + 1}) {
        SCOPED_TRACE(name + ": " + std::to_string(count) + " rooms up to " + std::to_string(largest) + ", " +
                     std::to_string(needed) + " needed");
        ASSERT_EQ(scan.first(rooms, needed), expected.first(rooms, needed));
        ASSERT_EQ(scan.tightest(rooms, needed), expected.tightest(rooms, needed));
        ASSERT_EQ(scan.roomiest(rooms, needed), expected.roomiest(rooms, needed));
      }
    }
  }
}

TEST(RoomScan, EveryInstructionSetEqualsScalar) {
  on_every_target([](const std::string& name) { expect_same_as_scalar(room_scan(), name); });
}

TEST(RoomScan, TiesGoToTheSmallestIndex) {
  const std::vector<std::uint32_t> rooms = {2, 9, 5, 5, 9, 2};
  const RoomScan scan = room_scan();
  EXPECT_EQ(scan.first(rooms, 5), 1u);
  EXPECT_EQ(scan.tightest(rooms, 3), 2u);
  EXPECT_EQ(scan.roomiest(rooms, 3), 1u);
  EXPECT_EQ(scan.first(rooms, 10), kNoRoom);
  EXPECT_EQ(scan.tightest(rooms, 10), kNoRoom);
  EXPECT_EQ(scan.roomiest(rooms, 10), kNoRoom);
}

}  // namespace
}  // namespace packscope
