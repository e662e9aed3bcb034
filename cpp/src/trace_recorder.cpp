// SPDX-License-Identifier: MIT
#include "trace_recorder.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "packscope/algorithms.hpp"

namespace packscope {

TraceRecorder::TraceRecorder(const Options& options, std::uint64_t max_steps)
    : rules_(options),
      in_order_of_opening_(algorithm_info(options.algorithm).kind == AlgorithmKind::offline),
      max_steps_(max_steps),
      groups_(1) {
  trace_.options = options;
}

void TraceRecorder::enter(std::size_t group) {
  group_ = group;
  if (group >= groups_.size()) groups_.resize(group + 1);
}

void TraceRecorder::record(const TraceStep& step) {
  if (trace_.steps.size() < max_steps_) {
    trace_.steps.push_back(step);
  } else {
    trace_.complete = false;
  }
}

void TraceRecorder::skip(std::uint32_t document, std::uint32_t tokens) {
  record({TraceKind::skip, document, 0, tokens, kNoWindow, 0, 0, 0});
}

void TraceRecorder::drop(std::uint32_t document, std::uint32_t tokens) {
  record({TraceKind::drop, document, 0, tokens, kNoWindow, 0, 0, 0});
}

void TraceRecorder::join(const Segment& candidate) {
  if (!trace_.complete) return;
  record(
      {TraceKind::join, candidate.document, candidate.document_offset, candidate.length, kNoWindow, 0, 0, 0});
  groups_[group_].pool.push_back({candidate.document, candidate.length});
}

std::uint32_t TraceRecorder::open() {
  const auto window = static_cast<std::uint32_t>(trace_.plan_windows.size());
  trace_.plan_windows.push_back(kNoWindow);
  if (in_order_of_opening_) in_plan_.push_back(window);
  if (!trace_.complete) return window;
  // best_fit_wrap fills a window with tokens, whatever separators stand between them.
  const bool counts_tokens = trace_.options.algorithm == Algorithm::best_fit_wrap;
  const std::uint32_t room = counts_tokens ? rules_.window : rules_.capacity;
  groups_[group_].open.push_back({window, room, 0});
  record({TraceKind::open, 0, 0, 0, window, room, 0, 0});
  return window;
}

void TraceRecorder::place(std::uint32_t window, const Segment& segment) {
  if (!trace_.complete) return;
  TracedWindow& chosen = groups_[group_].open[place_of(window)];
  TraceStep step{
      TraceKind::place, segment.document, segment.document_offset, segment.length, window, 0, 0, 0};
  count_candidates(step, chosen);
  take_from_pool(segment);
  // The separators of wrap are tokens of the stream, which are placed by themselves.
  const bool separate = trace_.options.algorithm == Algorithm::wrap;
  const std::uint32_t positions =
      separate ? rules_.positions(segment.length) : rules_.planned_positions(segment.length);
  chosen.room -= std::min(chosen.room, positions);
  ++chosen.documents;
  step.room = chosen.room;
  record(step);
}

// What the algorithm had to choose from: a window that is empty was opened because no other would do.
void TraceRecorder::count_candidates(TraceStep& step, const TracedWindow& chosen) const {
  const TracedGroup& group = groups_[group_];
  const auto count = [](const auto& all, auto fits) {
    return static_cast<std::uint32_t>(std::count_if(all.begin(), all.end(), fits));
  };
  if (trace_.options.algorithm == Algorithm::best_fit_wrap) {
    step.candidates = static_cast<std::uint32_t>(group.pool.size());
    step.fitting = count(group.pool, [&](const Waiting& waiting) { return waiting.tokens <= chosen.room; });
    return;
  }
  const std::uint32_t positions = rules_.planned_positions(step.length);
  const auto considered = [&](const TracedWindow& window) { return window.documents > 0; };
  step.candidates = count(group.open, considered);
  step.fitting = count(group.open, [&](const TracedWindow& window) {
    return considered(window) && window.room >= positions && !is_full(window);
  });
}

void TraceRecorder::take_from_pool(const Segment& segment) {
  std::vector<Waiting>& pool = groups_[group_].pool;
  const auto found = std::find_if(
      pool.begin(), pool.end(), [&](const Waiting& waiting) { return waiting.document == segment.document; });
  if (found == pool.end()) return;
  found->tokens -= segment.length;
  if (found->tokens == 0) pool.erase(found);
}

void TraceRecorder::separate(std::uint32_t window) {
  if (!trace_.complete) return;
  TracedWindow& of = groups_[group_].open[place_of(window)];
  if (trace_.options.algorithm == Algorithm::wrap) --of.room;
  record({TraceKind::separator, 0, 0, 0, window, of.room, 0, 0});
}

void TraceRecorder::close(std::uint32_t window) {
  if (!in_order_of_opening_) in_plan_.push_back(window);
  if (!trace_.complete) return;
  const TracedWindow& closing = groups_[group_].open[place_of(window)];
  const TraceKind kind = is_full(closing) ? TraceKind::close
                         : flushing_      ? TraceKind::flush
                                          : TraceKind::evict;
  leave(window, kind);
}

void TraceRecorder::discard(std::uint32_t window) {
  if (trace_.complete) leave(window, TraceKind::discard);
}

void TraceRecorder::leave(std::uint32_t window, TraceKind kind) {
  std::vector<TracedWindow>& open = groups_[group_].open;
  const std::size_t place = place_of(window);
  record({kind, 0, 0, 0, window, open[place].room, 0, 0});
  open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
}

bool TraceRecorder::is_full(std::uint32_t window) const {
  return trace_.complete && is_full(groups_[group_].open[place_of(window)]);
}

bool TraceRecorder::is_full(const TracedWindow& window) const {
  const bool whole_tokens =
      trace_.options.algorithm == Algorithm::wrap || trace_.options.algorithm == Algorithm::best_fit_wrap;
  const std::uint32_t least = whole_tokens ? 1 : trace_.options.min_room;
  return window.room < least || window.documents >= trace_.options.max_documents_per_window;
}

std::size_t TraceRecorder::place_of(std::uint32_t window) const {
  const std::vector<TracedWindow>& open = groups_[group_].open;
  const auto found =
      std::lower_bound(open.begin(), open.end(), window,
                       [](const TracedWindow& entry, std::uint32_t number) { return entry.window < number; });
  assert(found != open.end() && found->window == window);
  return static_cast<std::size_t>(found - open.begin());
}

void TraceRecorder::shuffle(std::span<const std::uint64_t> order) {
  const std::vector<std::uint32_t> before = in_plan_;
  for (std::size_t i = 0; i < order.size(); ++i) in_plan_[i] = before[static_cast<std::size_t>(order[i])];
}

Trace TraceRecorder::take(std::uint64_t filler_windows) {
  for (std::size_t i = 0; i < in_plan_.size(); ++i) {
    trace_.plan_windows[in_plan_[i]] = static_cast<std::uint32_t>(i);
  }
  trace_.filler_windows = filler_windows;
  return std::move(trace_);
}

}  // namespace packscope
