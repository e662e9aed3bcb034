// SPDX-License-Identifier: MIT
// Few open windows, in the order they were opened: every question is a scan over their rooms, which stand
// side by side. IndexedWindows answers the same questions for many.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/open_window.hpp"
#include "kernels/room_scan.hpp"

namespace packscope {

class ScannedWindows {
 public:
  static constexpr std::uint32_t kNone = kNoRoom;

  explicit ScannedWindows(const Options&) {}

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(rooms_.size()); }

  // An index; indices ascend in the order of opening. Closing moves those after it down by one.
  std::uint32_t open(std::uint32_t room) {
    rooms_.push_back(room);
    if (contents_.size() < rooms_.size()) contents_.emplace_back();
    return size() - 1;
  }

  void place(Run& run, std::uint32_t index, const Piece& piece, bool /*last*/) {
    rooms_[index] -= piece.positions;
    contents_[index].append(run, piece.segment, piece.source);
  }

  void close(std::uint32_t index) {
    rooms_.erase(rooms_.begin() + static_cast<std::ptrdiff_t>(index));
    // The emptied list goes to the end, to be used again with its memory.
    contents_[index].clear();
    for (std::size_t i = index; i < rooms_.size(); ++i) std::swap(contents_[i], contents_[i + 1]);
  }

  [[nodiscard]] std::uint32_t room(std::uint32_t index) const { return rooms_[index]; }
  [[nodiscard]] std::span<const Segment> segments(std::uint32_t index) const {
    return contents_[index].segments();
  }

  [[nodiscard]] std::uint32_t earliest_with_room(std::uint32_t positions) const {
    return find_first_room(rooms_, positions);
  }
  [[nodiscard]] std::uint32_t tightest_with_room(std::uint32_t positions) const {
    return find_tightest_room(rooms_, positions);
  }
  [[nodiscard]] std::uint32_t roomiest_with_room(std::uint32_t positions) const {
    return find_roomiest_room(rooms_, positions);
  }
  [[nodiscard]] std::uint32_t oldest() const { return rooms_.empty() ? kNone : 0; }
  [[nodiscard]] std::uint32_t fullest() const { return find_tightest_room(rooms_, 0); }

 private:
  std::vector<std::uint32_t> rooms_;
  std::vector<OpenWindow<OwnSegments>> contents_;  // by index, then emptied ones
};

}  // namespace packscope
