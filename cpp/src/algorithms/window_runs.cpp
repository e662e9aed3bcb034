// SPDX-License-Identifier: MIT
#include "algorithms/window_runs.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

#include "index/room_heaps.hpp"

namespace packscope {
namespace {

// Open runs. For best fit the next run is the tightest with room, for first fit the earliest among those
// with room; as lengths only shrink, a run with room keeps it until it is used.
class OpenRuns {
 public:
  explicit OpenRuns(Fit fit) : fit_(fit) {}

  void add(const WindowRun& run) { by_room_.add(store(run), run.room, run.first); }

  // Puts back what is left of a run that take() returned for the same positions.
  void put_back(const WindowRun& run) {
    if (fit_ == Fit::best) {
      add(run);
    } else {
      with_room_.push({run.first, store(run)});
    }
  }

  std::optional<WindowRun> take(std::uint32_t positions) {
    return fit_ == Fit::best ? take_tightest(positions) : take_earliest(positions);
  }

 private:
  using Node = std::uint32_t;                       // index into runs_
  using Earliest = std::pair<std::uint64_t, Node>;  // the first window, and its run

  std::optional<WindowRun> take_tightest(std::uint32_t positions) {
    const std::uint32_t room = by_room_.tightest_room(positions);
    if (room == RoomHeaps::kNone) return std::nullopt;
    return release(remove_first(room));
  }

  std::optional<WindowRun> take_earliest(std::uint32_t positions) {
    for (std::uint32_t room; (room = by_room_.tightest_room(positions)) != RoomHeaps::kNone;) {
      const Node node = remove_first(room);
      with_room_.push({runs_[node].first, node});
    }
    if (with_room_.empty()) return std::nullopt;
    const Node node = with_room_.top().second;
    with_room_.pop();
    return release(node);
  }

  Node remove_first(std::uint32_t room) {
    const Node node = by_room_.first(room);
    by_room_.remove_first(room);
    return node;
  }

  Node store(const WindowRun& run) {
    if (free_.empty()) {
      runs_.push_back(run);
      return static_cast<Node>(runs_.size() - 1);
    }
    const Node node = free_.back();
    free_.pop_back();
    runs_[node] = run;
    return node;
  }

  WindowRun release(Node node) {
    free_.push_back(node);
    return runs_[node];
  }

  Fit fit_;
  std::vector<WindowRun> runs_;
  std::vector<Node> free_;
  RoomHeaps by_room_;
  // First fit: runs known to have room.
  std::priority_queue<Earliest, std::vector<Earliest>, std::greater<>> with_room_;
};

class RunPlanner {
 public:
  RunPlanner(Fit fit, std::uint32_t capacity, std::uint32_t min_room, std::uint32_t max_documents)
      : open_(fit), capacity_(capacity), min_room_(min_room), max_documents_(max_documents) {}

  void place(LengthClass pieces) {
    while (pieces.count > 0) {
      std::optional<WindowRun> run = open_.take(pieces.positions);
      const bool existing = run.has_value();
      if (!existing) run = WindowRun{result_.window_count, UINT64_MAX, capacity_, 0, -1};
      const std::uint64_t used = fill(*run, pieces);
      if (!existing) {
        result_.window_count += used;
      } else if (used < run->count) {
        open_.put_back({run->first + used, run->count - used, run->room, run->documents, run->last});
      }
    }
  }

  WindowRuns finish() && {
    while (const std::optional<WindowRun> run = open_.take(0)) result_.runs.push_back(*run);
    std::sort(result_.runs.begin(), result_.runs.end(),
              [](const WindowRun& a, const WindowRun& b) { return a.first < b.first; });
    return std::move(result_);
  }

 private:
  // Fills the first windows of `run` with as many pieces as each takes; returns how many windows.
  std::uint64_t fill(const WindowRun& run, LengthClass& pieces) {
    const std::uint64_t per_window = most_per_window(run, pieces.positions);
    const std::uint64_t full_windows = std::min(run.count, pieces.count / per_window);
    const std::uint64_t windows = std::max<std::uint64_t>(full_windows, 1);
    const auto placed = static_cast<std::uint32_t>(full_windows == 0 ? pieces.count : per_window);
    result_.placements.push_back({run.first, pieces.first_rank, pieces.length, placed, run.last});
    const WindowRun filled{run.first, windows, run.room - placed * pieces.positions, run.documents + placed,
                           static_cast<std::int64_t>(result_.placements.size()) - 1};
    pieces.first_rank += windows * placed;
    pieces.count -= windows * placed;
    if (filled.room < min_room_ || filled.documents >= max_documents_) {
      result_.runs.push_back(filled);
    } else {
      open_.add(filled);
    }
    return windows;
  }

  // A window takes another piece while it has room for it and has not closed.
  [[nodiscard]] std::uint64_t most_per_window(const WindowRun& run, std::uint32_t positions) const {
    const std::uint32_t needed = std::max(positions, min_room_);
    const std::uint32_t by_room = (run.room - needed) / positions + 1;
    return std::min(by_room, max_documents_ - run.documents);
  }

  OpenRuns open_;
  std::uint32_t capacity_;
  std::uint32_t min_room_;
  std::uint32_t max_documents_;
  WindowRuns result_;
};

}  // namespace

void WindowRuns::contents(const WindowRun& run, std::vector<Placement>& out) const {
  out.clear();
  for (std::int64_t i = run.last; i >= 0; i = placements[static_cast<std::size_t>(i)].before) {
    out.push_back(placements[static_cast<std::size_t>(i)]);
  }
  std::reverse(out.begin(), out.end());
}

WindowRuns plan_window_runs(std::span<const LengthClass> classes, Fit fit, std::uint32_t capacity,
                            std::uint32_t min_room, std::uint32_t max_documents) {
  RunPlanner planner(fit, capacity, min_room, max_documents);
  for (const LengthClass& pieces : classes) planner.place(pieces);
  return std::move(planner).finish();
}

}  // namespace packscope
