// SPDX-License-Identifier: MIT
// Writes a trace while an algorithm runs. Algorithms only say what they do with windows; the rest of a step,
// such as how many open windows had room, follows from what was said before. When there are as many steps as
// are wanted it notes only which windows there are, and is told the rest for nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "packscope/trace.hpp"
#include "window_rules.hpp"

namespace packscope {

class TraceRecorder {
 public:
  TraceRecorder(const Options& options, std::uint64_t max_steps);

  // The group that the next steps belong to, and whether its windows are being emptied.
  void enter(std::size_t group);
  void set_flushing(bool flushing) { flushing_ = flushing; }

  void skip(std::uint32_t document, std::uint32_t tokens);
  void drop(std::uint32_t document, std::uint32_t tokens);
  void join(const Segment& candidate);

  std::uint32_t open();  // the new window's number
  void place(std::uint32_t window, const Segment& segment);
  void separate(std::uint32_t window);
  void close(std::uint32_t window);
  void discard(std::uint32_t window);

  // Whether an open window takes no more, as far as steps are still recorded.
  [[nodiscard]] bool is_full(std::uint32_t window) const;

  // Window i of the plan becomes the one that was order[i].
  void shuffle(std::span<const std::uint64_t> order);

  Trace take(std::uint64_t filler_windows);

 private:
  struct TracedWindow {
    std::uint32_t window;
    std::uint32_t room;
    std::uint32_t documents;
  };
  struct Waiting {  // in best_fit_wrap's pool
    std::uint32_t document;
    std::uint32_t tokens;
  };
  struct TracedGroup {
    std::vector<TracedWindow> open;
    std::vector<Waiting> pool;
  };

  void record(const TraceStep& step);
  void leave(std::uint32_t window, TraceKind kind);
  void count_candidates(TraceStep& step, const TracedWindow& chosen) const;
  void take_from_pool(const Segment& segment);
  [[nodiscard]] bool is_full(const TracedWindow& window) const;
  [[nodiscard]] std::size_t place_of(std::uint32_t window) const;

  const WindowRules rules_;
  const bool in_order_of_opening_;  // how the algorithm numbers windows; otherwise in that of closing
  const std::uint64_t max_steps_;
  Trace trace_;
  std::vector<TracedGroup> groups_;
  std::size_t group_ = 0;
  bool flushing_ = false;
  std::vector<std::uint32_t> in_plan_;  // windows in the order of the plan
};

}  // namespace packscope
