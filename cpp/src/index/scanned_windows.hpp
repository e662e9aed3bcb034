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

template <class Segments>
class ScannedWindows {
 public:
  static constexpr std::uint32_t kNone = kNoRoom;

  explicit ScannedWindows(const Options&) : scan_(room_scan()) {}

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(rooms_.size()); }

  // An index; indices ascend in the order of opening. Closing moves those after it down by one.
  std::uint32_t open(std::uint32_t room) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(contents_.size()));
      contents_.emplace_back();
    }
    rooms_.push_back(room);
    content_of_.push_back(free_.back());
    free_.pop_back();
    return size() - 1;
  }

  void place(Run& run, std::uint32_t index, const Piece& piece, bool /*last*/) {
    rooms_[index] -= piece.positions;
    contents_[content_of_[index]].append(run, piece.segment, piece.source);
  }

  // Its segments must have been emitted.
  void close(std::uint32_t index) {
    free_.push_back(content_of_[index]);
    rooms_.erase(rooms_.begin() + static_cast<std::ptrdiff_t>(index));
    content_of_.erase(content_of_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  [[nodiscard]] std::uint32_t room(std::uint32_t index) const { return rooms_[index]; }
  [[nodiscard]] OpenWindow<Segments>& window(std::uint32_t index) { return contents_[content_of_[index]]; }

  [[nodiscard]] std::uint32_t earliest_with_room(std::uint32_t positions) const {
    return scan_.first(rooms_, positions);
  }
  [[nodiscard]] std::uint32_t tightest_with_room(std::uint32_t positions) const {
    return scan_.tightest(rooms_, positions);
  }
  [[nodiscard]] std::uint32_t roomiest_with_room(std::uint32_t positions) const {
    return scan_.roomiest(rooms_, positions);
  }
  [[nodiscard]] std::uint32_t oldest() const { return rooms_.empty() ? kNone : 0; }
  [[nodiscard]] std::uint32_t fullest() const { return scan_.tightest(rooms_, 0); }

 private:
  RoomScan scan_;
  std::vector<std::uint32_t> rooms_;
  std::vector<std::uint32_t> content_of_;       // by index
  std::vector<OpenWindow<Segments>> contents_;  // stay where they are, with their memory
  std::vector<std::uint32_t> free_;             // of contents_
};

}  // namespace packscope
