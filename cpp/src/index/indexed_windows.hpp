// SPDX-License-Identifier: MIT
// Many open windows for first_fit and worst_fit, in the order they were opened, with a tree of their rooms:
// every question takes O(log windows). ScannedWindows answers the same questions for few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/open_window.hpp"
#include "index/max_tree.hpp"
#include "index/room_heaps.hpp"

namespace packscope {

class IndexedWindows {
 public:
  static constexpr std::uint32_t kNone = MaxTree::kNone;

  explicit IndexedWindows(const Options& options) : asks_for_fullest_(options.evict == Evict::fullest) {}

  [[nodiscard]] std::uint32_t size() const { return size_; }

  // A slot; slots ascend in the order of opening, so the smallest is the oldest.
  std::uint32_t open(std::uint32_t room);
  // Into a new slot or one that a question below returned. `last`: the window closes after it.
  void place(Run& run, std::uint32_t slot, const Piece& piece, bool last);
  // Its segments must have been emitted. The slot must be one that a question below returned, or have
  // received its last piece.
  void close(std::uint32_t slot);

  [[nodiscard]] std::uint32_t room(std::uint32_t slot) const { return rooms_.value(slot); }
  [[nodiscard]] OpenWindow<OwnSegments>& window(std::uint32_t slot) { return contents_[slot]; }

  // Each returns a slot or kNone; ties go to the earliest opened.
  [[nodiscard]] std::uint32_t earliest_with_room(std::uint32_t positions) const {
    return rooms_.first_at_least(positions);
  }
  [[nodiscard]] std::uint32_t roomiest_with_room(std::uint32_t positions) const;
  [[nodiscard]] std::uint32_t oldest() const { return size_ == 0 ? kNone : rooms_.first_at_least(1); }
  [[nodiscard]] std::uint32_t fullest() const { return by_room_.tightest(0); }

 private:
  void make_slot();

  bool asks_for_fullest_;  // otherwise by_room_ stays empty
  std::uint32_t size_ = 0;
  std::uint32_t next_slot_ = 0;
  MaxTree rooms_;                                  // room by slot, 0 where closed or about to close
  RoomHeaps by_room_;                              // every slot is the first of its room when it leaves
  std::vector<OpenWindow<OwnSegments>> contents_;  // by slot
};

}  // namespace packscope
