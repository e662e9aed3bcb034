// SPDX-License-Identifier: MIT
// Adds up the statistics of windows, one segment at a time, for plans and for runs of equal windows.
#pragma once

#include <cstdint>
#include <vector>

#include "packscope/stats.hpp"
#include "window_rules.hpp"

namespace packscope {

class WindowTally {
 public:
  WindowTally(const Options& options, Stats& stats);

  void add_segment(std::uint32_t length);
  // The segments since the last call make a window that occurs `times` times.
  void end_window(std::uint64_t times = 1);
  // After the last window: fills documents_per_window.
  void finish();

 private:
  [[nodiscard]] std::uint64_t rank_value(std::uint64_t rank) const;

  const WindowRules rules_;
  const std::uint32_t context_length_;
  Stats& stats_;

  // The window being added.
  std::uint64_t segments_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t position_ = 0;  // where the next segment starts
  std::uint64_t squares_ = 0;
  std::uint64_t pairs_ = 0;

  std::vector<std::uint64_t> windows_by_segments_;
};

// Martello and Toth's bound L2 (1990, Lower bounds and reduction procedures for the bin packing problem): no
// packing of items into windows of `capacity` uses fewer. `counts[s]` items have size s; sizes end at the
// largest there is, at most capacity.
std::uint64_t martello_toth_bound(const std::vector<std::uint64_t>& counts, std::uint32_t capacity);

}  // namespace packscope
