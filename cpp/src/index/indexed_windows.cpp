// SPDX-License-Identifier: MIT
#include "index/indexed_windows.hpp"

namespace packscope {

std::uint32_t IndexedWindows::open(std::uint32_t room) {
  if (next_slot_ == pieces_.size()) make_slot();
  const std::uint32_t slot = next_slot_++;
  rooms_.set(slot, room);
  by_room_.emplace(room, slot);
  return slot;
}

void IndexedWindows::place(std::uint32_t slot, const Piece& piece) {
  const std::uint32_t room = rooms_.value(slot);
  by_room_.erase({room, slot});
  by_room_.emplace(room - piece.positions, slot);
  rooms_.set(slot, room - piece.positions);
  pieces_[slot].push_back(piece);
}

void IndexedWindows::close(std::uint32_t slot) {
  by_room_.erase({rooms_.value(slot), slot});
  rooms_.set(slot, 0);
  pieces_[slot].clear();
}

std::uint32_t IndexedWindows::tightest_with_room(std::uint32_t positions) const {
  const auto found = by_room_.lower_bound({positions, 0});
  return found == by_room_.end() ? kNone : found->second;
}

std::uint32_t IndexedWindows::roomiest_with_room(std::uint32_t positions) const {
  const std::uint32_t room = rooms_.largest();
  return room < positions || room == 0 ? kNone : rooms_.first_at_least(room);
}

// All slots are used: moves the open windows to the front if at least half are closed, else doubles.
void IndexedWindows::make_slot() {
  if (pieces_.empty() || size() * 2 > pieces_.size()) {
    if (!pieces_.empty()) rooms_.grow();
    pieces_.resize(rooms_.slots());
    return;
  }
  std::uint32_t to = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> moved;
  for (std::uint32_t from = 0; from < next_slot_; ++from) {
    const std::uint32_t room = rooms_.value(from);
    if (room == 0) continue;
    if (to != from) {
      rooms_.set(to, room);
      rooms_.set(from, 0);
      std::swap(pieces_[to], pieces_[from]);
    }
    moved.emplace(room, to++);
  }
  by_room_ = std::move(moved);
  next_slot_ = to;
}

}  // namespace packscope
