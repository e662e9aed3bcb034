// SPDX-License-Identifier: MIT
#include "index/indexed_windows.hpp"

#include <utility>

namespace packscope {

std::uint32_t IndexedWindows::open(std::uint32_t room) {
  if (next_slot_ == contents_.size()) make_slot();
  rooms_.set(next_slot_, room);
  ++size_;
  return next_slot_++;
}

void IndexedWindows::place(Run& run, std::uint32_t slot, const Piece& piece, bool last) {
  const std::uint32_t room = rooms_.value(slot);
  const std::uint32_t left = last ? 0 : room - piece.positions;
  if (asks_for_fullest_) {
    if (!contents_[slot].empty()) by_room_.remove_first(room);
    if (left > 0) by_room_.add(slot, left, slot);
  }
  rooms_.set(slot, left);
  contents_[slot].append(run, piece.segment, piece.source);
}

void IndexedWindows::close(std::uint32_t slot) {
  const std::uint32_t room = rooms_.value(slot);
  if (room > 0) {
    if (asks_for_fullest_) by_room_.remove_first(room);
    rooms_.set(slot, 0);
  }
  --size_;
}

std::uint32_t IndexedWindows::roomiest_with_room(std::uint32_t positions) const {
  const std::uint32_t room = rooms_.largest();
  return room < positions || room == 0 ? kNone : rooms_.first_at_least(room);
}

// All slots are used: moves the open windows to the front if at least half are closed, else doubles.
void IndexedWindows::make_slot() {
  if (contents_.empty() || std::size_t{size_} * 2 > contents_.size()) {
    if (!contents_.empty()) rooms_.grow();
    contents_.resize(rooms_.slots());
    return;
  }
  by_room_.clear();
  std::uint32_t to = 0;
  for (std::uint32_t from = 0; from < next_slot_; ++from) {
    const std::uint32_t room = rooms_.value(from);
    if (room == 0) continue;
    if (to != from) {
      rooms_.set(to, room);
      rooms_.set(from, 0);
      std::swap(contents_[to], contents_[from]);
    }
    if (asks_for_fullest_) by_room_.add(to, room, to);
    ++to;
  }
  next_slot_ = to;
}

}  // namespace packscope
