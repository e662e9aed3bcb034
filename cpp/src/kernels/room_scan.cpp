// SPDX-License-Identifier: MIT
#include "kernels/room_scan.hpp"

#include "kernels/choose_target.hpp"

#ifdef PACKSCOPE_SIMD
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/room_scan.cpp"
#include <hwy/foreach_target.h>  // this file again for each target; must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace packscope::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<std::int32_t>;

// Rooms compare as signed numbers, which every processor can do at once.
const std::int32_t* signed_data(std::span<const std::uint32_t> rooms) {
  return reinterpret_cast<const std::int32_t*>(rooms.data());
}

std::uint32_t scan_first(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  const Lanes lanes;
  const std::size_t step = hn::Lanes(lanes);
  const std::int32_t* data = signed_data(rooms);
  const auto least = static_cast<std::int32_t>(needed);
  const auto too_little = hn::Set(lanes, least - 1);  // not every target has >=
  std::size_t i = 0;
  for (; i + step <= rooms.size(); i += step) {
    const std::intptr_t lane = hn::FindFirstTrue(lanes, hn::Gt(hn::LoadU(lanes, data + i), too_little));
    if (lane >= 0) return static_cast<std::uint32_t>(i + static_cast<std::size_t>(lane));
  }
  for (; i < rooms.size(); ++i) {
    if (data[i] >= least) return static_cast<std::uint32_t>(i);
  }
  return kNoRoom;
}

// `room` must be among them.
std::uint32_t find_room(std::span<const std::uint32_t> rooms, std::int32_t room) {
  const Lanes lanes;
  const std::size_t step = hn::Lanes(lanes);
  const std::int32_t* data = signed_data(rooms);
  const auto all_room = hn::Set(lanes, room);
  std::size_t i = 0;
  for (; i + step <= rooms.size(); i += step) {
    const std::intptr_t lane = hn::FindFirstTrue(lanes, hn::Eq(hn::LoadU(lanes, data + i), all_room));
    if (lane >= 0) return static_cast<std::uint32_t>(i + static_cast<std::size_t>(lane));
  }
  while (data[i] != room) ++i;
  return static_cast<std::uint32_t>(i);
}

// The value comes first, then where it stands: both passes are over data in the nearest cache.
std::uint32_t scan_tightest(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  const Lanes lanes;
  const std::size_t step = hn::Lanes(lanes);
  const std::int32_t* data = signed_data(rooms);
  const auto least = static_cast<std::int32_t>(needed);
  const auto too_little = hn::Set(lanes, least - 1);  // not every target has >=
  auto tightest = hn::Set(lanes, INT32_MAX);
  std::size_t i = 0;
  for (; i + step <= rooms.size(); i += step) {
    const auto v = hn::LoadU(lanes, data + i);
    tightest = hn::IfThenElse(hn::And(hn::Gt(v, too_little), hn::Lt(v, tightest)), v, tightest);
  }
  std::int32_t best = hn::GetLane(hn::MinOfLanes(lanes, tightest));
  for (; i < rooms.size(); ++i) {
    if (data[i] >= least && data[i] < best) best = data[i];
  }
  return best == INT32_MAX ? kNoRoom : find_room(rooms, best);
}

std::uint32_t scan_roomiest(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  const Lanes lanes;
  const std::size_t step = hn::Lanes(lanes);
  const std::int32_t* data = signed_data(rooms);
  auto roomiest = hn::Set(lanes, -1);
  std::size_t i = 0;
  for (; i + step <= rooms.size(); i += step) roomiest = hn::Max(roomiest, hn::LoadU(lanes, data + i));
  std::int32_t best = hn::GetLane(hn::MaxOfLanes(lanes, roomiest));
  for (; i < rooms.size(); ++i) {
    if (data[i] > best) best = data[i];
  }
  return best < static_cast<std::int32_t>(needed) ? kNoRoom : find_room(rooms, best);
}

}  // namespace packscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(PACKSCOPE_SIMD) || HWY_ONCE
namespace packscope {
namespace {

std::uint32_t scan_first_scalar(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (rooms[i] >= needed) return static_cast<std::uint32_t>(i);
  }
  return kNoRoom;
}

// Room below `needed` wraps around to a large surplus.
std::uint32_t scan_tightest_scalar(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
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

std::uint32_t scan_roomiest_scalar(std::span<const std::uint32_t> rooms, std::uint32_t needed) {
  std::uint32_t best = kNoRoom;
  std::uint32_t best_room = needed;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (rooms[i] > best_room || (best == kNoRoom && rooms[i] == needed)) {
      best_room = rooms[i];
      best = static_cast<std::uint32_t>(i);
    }
  }
  return best;
}

}  // namespace

RoomScan scalar_room_scan() { return {scan_first_scalar, scan_tightest_scalar, scan_roomiest_scalar}; }

#ifdef PACKSCOPE_SIMD
HWY_EXPORT(scan_first);
HWY_EXPORT(scan_tightest);
HWY_EXPORT(scan_roomiest);

RoomScan room_scan() {
  choose_target();
  return {&HWY_DYNAMIC_DISPATCH(scan_first), &HWY_DYNAMIC_DISPATCH(scan_tightest),
          &HWY_DYNAMIC_DISPATCH(scan_roomiest)};
}
#else
RoomScan room_scan() { return scalar_room_scan(); }
#endif

}  // namespace packscope
#endif
