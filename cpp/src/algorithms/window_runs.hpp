// SPDX-License-Identifier: MIT
// Decreasing algorithms on a length histogram. Windows opened one after another that hold the same
// lengths form a run and are filled together, so planning costs the number of distinct (length, room)
// steps, not the number of documents. The result is that of the textbook loop.
// Idea: Krell et al. 2021, Efficient Sequence Packing without Cross-contamination, made exact by
// keeping runs in the order of opening.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "window_rules.hpp"

namespace packscope {

// Planned pieces of one length: `first_rank` is where they start among all pieces, longest first.
struct LengthClass {
  std::uint32_t length;     // tokens, with separators except one between documents
  std::uint32_t positions;  // what each takes of WindowRules::capacity
  std::uint64_t first_rank;
  std::uint64_t count;
};

// One step: every window of [first_window, first_window + windows) receives `per_window` pieces of
// `length`, handed out from `first_rank` on in order of windows.
struct Placement {
  std::uint64_t first_window;
  std::uint64_t first_rank;
  std::uint32_t length;
  std::uint32_t per_window;
  std::int64_t before;  // the placement before it in these windows, or -1
};

// Windows [first, first + count) with equal contents.
struct WindowRun {
  std::uint64_t first;
  std::uint64_t count;
  std::uint32_t room;
  std::uint32_t documents;  // in each
  std::int64_t last;        // placement that fills it, chained by `before`
};

enum class Fit : std::uint8_t { first, best };

struct WindowRuns {
  std::vector<Placement> placements;
  std::vector<WindowRun> runs;  // in the order of windows
  std::uint64_t window_count = 0;

  // The placements of a run in the order they were made.
  void contents(const WindowRun& run, std::vector<Placement>& out) const;
};

// `classes` by length descending, every count > 0.
WindowRuns plan_window_runs(std::span<const LengthClass> classes, Fit fit, std::uint32_t capacity,
                            std::uint32_t min_room, std::uint32_t max_documents);

}  // namespace packscope
