// SPDX-License-Identifier: MIT
// A set of small integers, such as the lengths or rooms in use: the nearest member at or above, or at or
// below, a value in a few steps. A bit for each value, and above it a bit for each word that is not 0.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace packscope {

class LengthSet {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void insert(std::uint32_t value) {
    if (value >= limit_) grow(value);
    for (auto& words : levels_) {
      std::uint64_t& word = words[value / kBits];
      const bool known_above = word != 0;
      word |= bit(value);
      if (known_above) return;
      value /= kBits;
    }
  }

  // `value` must be in the set.
  void erase(std::uint32_t value) {
    for (auto& words : levels_) {
      std::uint64_t& word = words[value / kBits];
      assert((word & bit(value)) != 0);
      word &= ~bit(value);
      if (word != 0) return;
      value /= kBits;
    }
  }

  // The smallest member >= value, or kNone.
  [[nodiscard]] std::uint32_t at_least(std::uint32_t value) const {
    if (value >= limit_) return kNone;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const std::uint64_t rest = levels_[level][value / kBits] >> (value % kBits);
      if (rest != 0) return smallest_below(level, value + lowest(rest));
      value = value / kBits + 1;
      if (level + 1 == levels_.size() || value / kBits >= levels_[level + 1].size()) return kNone;
    }
    return kNone;
  }

  // The largest member <= value, or kNone.
  [[nodiscard]] std::uint32_t at_most(std::uint32_t value) const {
    if (limit_ == 0) return kNone;
    if (value >= limit_) value = limit_ - 1;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const std::uint64_t rest = levels_[level][value / kBits] << (kBits - 1 - value % kBits);
      if (rest != 0) return largest_below(level, value - highest_gap(rest));
      if (value / kBits == 0) return kNone;
      value = value / kBits - 1;
    }
    return kNone;
  }

 private:
  static constexpr std::uint32_t kBits = 64;

  static std::uint64_t bit(std::uint32_t value) { return std::uint64_t{1} << (value % kBits); }
  static std::uint32_t lowest(std::uint64_t word) {
    return static_cast<std::uint32_t>(std::countr_zero(word));
  }
  // Zero bits above the highest one.
  static std::uint32_t highest_gap(std::uint64_t word) {
    return static_cast<std::uint32_t>(std::countl_zero(word));
  }

  // From a set bit of a level down to the smallest, or largest, member below it.
  [[nodiscard]] std::uint32_t smallest_below(std::size_t level, std::uint32_t value) const {
    while (level-- > 0) value = value * kBits + lowest(levels_[level][value]);
    return value;
  }
  [[nodiscard]] std::uint32_t largest_below(std::size_t level, std::uint32_t value) const {
    while (level-- > 0) value = value * kBits + (kBits - 1 - highest_gap(levels_[level][value]));
    return value;
  }

  // Makes room for `value`, at least doubling; the last level is one word.
  void grow(std::uint32_t value) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t member = at_least(0); member != kNone; member = at_least(member + 1)) {
      members.push_back(member);
    }
    limit_ = limit_ == 0 ? kBits : limit_;
    while (limit_ <= value) limit_ *= 2;
    levels_.clear();
    for (std::uint32_t size = limit_;;) {
      size = (size + kBits - 1) / kBits;
      levels_.emplace_back(size, 0);
      if (size == 1) break;
    }
    for (const std::uint32_t member : members) insert(member);
  }

  std::uint32_t limit_ = 0;  // values are below it
  std::vector<std::vector<std::uint64_t>> levels_;
};

}  // namespace packscope
