// SPDX-License-Identifier: MIT
// The project's own random numbers: standard distributions differ between libraries, ours must not.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace packscope {

// SplitMix64 (Steele, Lea, Flood 2014): one 64-bit state, every seed is good.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform in [0, n), n > 0. Values that would favour small results are drawn again.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t excess = (0 - n) % n;
    std::uint64_t value = next();
    while (value < excess) value = next();
    return value % n;
  }

 private:
  std::uint64_t state_;
};

// Fisher-Yates from the last element down.
template <class T>
void shuffle(std::span<T> values, Random& random) {
  for (std::uint64_t i = values.size(); i > 1; --i) {
    std::swap(values[static_cast<std::size_t>(i - 1)], values[static_cast<std::size_t>(random.below(i))]);
  }
}

}  // namespace packscope
