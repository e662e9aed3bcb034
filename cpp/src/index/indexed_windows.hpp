// SPDX-License-Identifier: MIT
// Many open windows, in the order they were opened, indexed by room: every question takes O(log windows).
// ScannedWindows answers the same questions for few.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "index/max_tree.hpp"

namespace packscope {

class IndexedWindows {
 public:
  static constexpr std::uint32_t kNone = MaxTree::kNone;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(by_room_.size()); }

  // A slot; slots ascend in the order of opening, so the smallest is the oldest.
  std::uint32_t open(std::uint32_t room);
  void place(std::uint32_t slot, const Piece& piece);
  void close(std::uint32_t slot);

  [[nodiscard]] std::uint32_t room(std::uint32_t slot) const { return rooms_.value(slot); }
  [[nodiscard]] std::span<const Piece> pieces(std::uint32_t slot) const { return pieces_[slot]; }

  // Each returns a slot or kNone; ties go to the earliest opened.
  [[nodiscard]] std::uint32_t earliest_with_room(std::uint32_t positions) const {
    return rooms_.first_at_least(positions);
  }
  [[nodiscard]] std::uint32_t tightest_with_room(std::uint32_t positions) const;
  [[nodiscard]] std::uint32_t roomiest_with_room(std::uint32_t positions) const;
  [[nodiscard]] std::uint32_t oldest() const { return size() == 0 ? kNone : rooms_.first_at_least(1); }
  [[nodiscard]] std::uint32_t fullest() const { return size() == 0 ? kNone : by_room_.begin()->second; }

 private:
  void make_slot();

  MaxTree rooms_;                                              // room by slot, 0 where closed
  std::set<std::pair<std::uint32_t, std::uint32_t>> by_room_;  // (room, slot) of open windows
  std::vector<std::vector<Piece>> pieces_;                     // by slot
  std::uint32_t next_slot_ = 0;
};

}  // namespace packscope
