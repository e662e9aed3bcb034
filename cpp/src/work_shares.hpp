// SPDX-License-Identifier: MIT
// Work cut into shares for an Executor, or done at once without one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "packscope/executor.hpp"

namespace packscope {

// How many shares `items` make of at least `smallest` each.
inline std::size_t share_count(const Executor* executor, std::size_t items, std::size_t smallest) {
  if (executor == nullptr) return 1;
  return std::clamp<std::size_t>(items / smallest, 1, std::max(executor->width(), 1u));
}

// Where share `share` of `shares` begins, so that they differ by one item at most.
inline std::size_t share_begin(std::size_t items, std::size_t shares, std::size_t share) {
  return items / shares * share + std::min(items % shares, share);
}

inline void run_shares(Executor* executor, std::size_t shares, const std::function<void(std::size_t)>& task) {
  if (executor != nullptr && shares > 1) return executor->run(shares, task);
  for (std::size_t share = 0; share < shares; ++share) task(share);
}

}  // namespace packscope
