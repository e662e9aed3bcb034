// SPDX-License-Identifier: MIT
// Windows by the room they have left: the one with the least room that is enough, and of equal rooms the one
// that comes first. Each room has a heap of its windows, and a set tells which rooms have any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "index/length_set.hpp"

namespace packscope {

// Nodes are small integers that the caller chooses and may use again. The heaps are pairing heaps (Fredman,
// Sedgewick, Sleator, Tarjan 1986): add() takes O(1), remove_first() O(log nodes) on average.
class RoomHeaps {
 public:
  static constexpr std::uint32_t kNone = LengthSet::kNone;

  [[nodiscard]] std::uint32_t size() const { return size_; }

  // Of equal rooms the lowest `order` comes first.
  void add(std::uint32_t node, std::uint32_t room, std::uint64_t order) {
    if (node >= nodes_.size()) nodes_.resize(std::max(nodes_.size() * 2, std::size_t{node} + 1));
    if (room >= first_.size()) first_.resize(std::max(first_.size() * 2, std::size_t{room} + 1), kNone);
    nodes_[node] = {order, kNone, kNone};
    if (first_[room] == kNone) rooms_.insert(room);
    first_[room] = join(first_[room], node);
    ++size_;
  }

  // The least room of at least `needed` that a window has, or kNone.
  [[nodiscard]] std::uint32_t tightest_room(std::uint32_t needed) const { return rooms_.at_least(needed); }

  // The first window with exactly this room, which some window must have.
  [[nodiscard]] std::uint32_t first(std::uint32_t room) const { return first_[room]; }

  // The first window with the least room of at least `needed`, or kNone.
  [[nodiscard]] std::uint32_t tightest(std::uint32_t needed) const {
    const std::uint32_t room = tightest_room(needed);
    return room == kNone ? kNone : first_[room];
  }

  void remove_first(std::uint32_t room) {
    first_[room] = join_children(nodes_[first_[room]].child);
    if (first_[room] == kNone) rooms_.erase(room);
    --size_;
  }

  void clear() { *this = RoomHeaps(); }

 private:
  struct Node {
    std::uint64_t order;
    std::uint32_t child;    // the first of those below it
    std::uint32_t sibling;  // the next one below the same node
  };

  // One heap of two, each kNone or without siblings.
  std::uint32_t join(std::uint32_t a, std::uint32_t b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    if (nodes_[b].order < nodes_[a].order) std::swap(a, b);
    nodes_[b].sibling = nodes_[a].child;
    nodes_[a].child = b;
    return a;
  }

  // Joins siblings in pairs from the left, then the pairs from the right. For remove_first() alone.
  [[gnu::always_inline]] std::uint32_t join_children(std::uint32_t child) {
    std::uint32_t pairs = kNone;  // linked by sibling, the last one first
    while (child != kNone) {
      const std::uint32_t a = child;
      const std::uint32_t b = std::exchange(nodes_[a].sibling, kNone);
      child = b == kNone ? kNone : std::exchange(nodes_[b].sibling, kNone);
      const std::uint32_t pair = join(a, b);
      nodes_[pair].sibling = pairs;
      pairs = pair;
    }
    std::uint32_t all = kNone;
    while (pairs != kNone) {
      const std::uint32_t next = std::exchange(nodes_[pairs].sibling, kNone);
      all = join(all, pairs);
      pairs = next;
    }
    return all;
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_;  // by room
  LengthSet rooms_;                   // that some window has
  std::uint32_t size_ = 0;
};

}  // namespace packscope
