// SPDX-License-Identifier: MIT
// A tournament tree over slots: the first slot whose value is at least x, in O(log slots).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

namespace packscope {

class MaxTree {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // All values become 0. `slots` is rounded up to a power of two.
  void reset(std::uint32_t slots) {
    assert(slots <= 1u << 30);
    leaves_ = 1;
    while (leaves_ < slots) leaves_ *= 2;
    tree_.assign(std::size_t{leaves_} * 2, 0);
  }

  [[nodiscard]] std::uint32_t slots() const { return leaves_; }
  [[nodiscard]] std::uint32_t value(std::uint32_t slot) const { return tree_[leaves_ + slot]; }
  [[nodiscard]] std::uint32_t largest() const { return tree_[1]; }

  // Keeps the values and doubles the slots.
  void grow() {
    const std::vector<std::uint32_t> old(tree_.begin() + static_cast<std::ptrdiff_t>(leaves_), tree_.end());
    reset(leaves_ * 2);
    std::copy(old.begin(), old.end(), tree_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::uint32_t node = leaves_ - 1; node > 0; --node) raise(node);
  }

  void set(std::uint32_t slot, std::uint32_t value) {
    std::uint32_t node = leaves_ + slot;
    tree_[node] = value;
    for (node /= 2; node > 0; node /= 2) {
      const std::uint32_t before = tree_[node];
      raise(node);
      if (tree_[node] == before) return;
    }
  }

  // The smallest slot with value >= x, or kNone. x > 0.
  [[nodiscard]] std::uint32_t first_at_least(std::uint32_t x) const {
    if (tree_[1] < x) return kNone;
    std::uint32_t node = 1;
    while (node < leaves_) {
      node *= 2;
      if (tree_[node] < x) ++node;
    }
    return node - leaves_;
  }

 private:
  void raise(std::uint32_t node) { tree_[node] = std::max(tree_[2 * node], tree_[2 * node + 1]); }

  std::uint32_t leaves_ = 1;
  std::vector<std::uint32_t> tree_ = std::vector<std::uint32_t>(2, 0);
};

}  // namespace packscope
