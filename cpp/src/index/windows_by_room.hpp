// SPDX-License-Identifier: MIT
// The open windows of best_fit: by the room they have left, and in the order they were opened. Every question
// and every change takes a few steps, however many windows are open.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/open_window.hpp"
#include "index/room_heaps.hpp"

namespace packscope {

template <class Segments>
class WindowsByRoom {
 public:
  static constexpr std::uint32_t kNone = RoomHeaps::kNone;

  explicit WindowsByRoom(const Options&) {}

  [[nodiscard]] std::uint32_t size() const { return size_; }

  // A slot, which may be that of a window closed before.
  std::uint32_t open(std::uint32_t room) {
    const std::uint32_t slot = take_slot();
    slots_[slot] = {opened_++, room, newest_, kNone};
    (newest_ == kNone ? oldest_ : slots_[newest_].newer) = slot;
    newest_ = slot;
    ++size_;
    return slot;
  }

  // Into a new slot or one that a question below returned. `last`: the window closes after it. Inlined, as
  // there is one caller, which does little else.
  [[gnu::always_inline]] void place(Run& run, std::uint32_t slot, const Piece& piece, bool last) {
    Slot& window = slots_[slot];
    if (!contents_[slot].empty()) by_room_.remove_first(window.room);
    window.room = last ? 0 : window.room - piece.positions;
    if (window.room > 0) by_room_.add(slot, window.room, window.order);
    contents_[slot].append(run, piece.segment, piece.source);
  }

  // Its segments must have been emitted. The slot must be one that a question below returned, or have
  // received its last piece.
  void close(std::uint32_t slot) {
    const Slot& window = slots_[slot];
    if (window.room > 0) by_room_.remove_first(window.room);
    (window.older == kNone ? oldest_ : slots_[window.older].newer) = window.newer;
    (window.newer == kNone ? newest_ : slots_[window.newer].older) = window.older;
    free_.push_back(slot);
    --size_;
  }

  [[nodiscard]] std::uint32_t room(std::uint32_t slot) const { return slots_[slot].room; }
  [[nodiscard]] OpenWindow<Segments>& window(std::uint32_t slot) { return contents_[slot]; }

  // Each returns a slot or kNone; ties go to the earliest opened.
  [[nodiscard]] std::uint32_t tightest_with_room(std::uint32_t positions) const {
    return by_room_.tightest(positions);
  }
  [[nodiscard]] std::uint32_t oldest() const { return oldest_; }
  [[nodiscard]] std::uint32_t fullest() const { return by_room_.tightest(0); }

 private:
  struct Slot {
    std::uint64_t order;  // of opening
    std::uint32_t room;   // 0 where about to close
    std::uint32_t older, newer;
  };

  std::uint32_t take_slot() {
    if (free_.empty()) {
      slots_.emplace_back();
      contents_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  std::uint64_t opened_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t oldest_ = kNone;
  std::uint32_t newest_ = kNone;
  std::vector<Slot> slots_;
  std::vector<OpenWindow<Segments>> contents_;  // by slot; they keep their memory
  std::vector<std::uint32_t> free_;
  RoomHeaps by_room_;  // every slot is the first of its room when it leaves
};

}  // namespace packscope
