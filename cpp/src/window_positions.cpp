// SPDX-License-Identifier: MIT
#include "window_positions.hpp"

#include "text.hpp"

namespace packscope {

Status place_window(const WindowList& windows, std::uint64_t window, const WindowRules& rules,
                    std::vector<SegmentPositions>& placed) {
  placed.clear();
  if (window >= windows.window_count()) {
    return invalid_argument("window ", window, " does not exist: the plan has ", windows.window_count(),
                            " windows");
  }
  const auto at = static_cast<std::size_t>(window);
  const std::uint64_t first = windows.window_offsets[at];
  const std::uint64_t last = windows.window_offsets[at + 1];
  if (first > last || last > windows.segments.size()) {
    return Error{ErrorCode::invalid_plan,
                 concat("window ", window, " holds segments [", first, ", ", last, "), but the plan has ",
                        windows.segments.size(), ": run validate() on it")};
  }
  std::uint32_t begin = 0;
  for (const Segment& segment : windows.window(window)) {
    if (segment.length == 0 || segment.length > rules.window - begin) {
      return Error{ErrorCode::invalid_plan,
                   concat("window ", window, ": a segment of ", segment.length, " tokens of document ",
                          segment.document, " stands at position ", begin, ", but segments have 1 token or ",
                          "more and a window holds ", rules.window, " (context_length)"),
                   segment.document};
    }
    placed.push_back(place_segment(segment, begin, rules));
    begin = placed.back().next;
  }
  return {};
}

void cut_positions(std::vector<SegmentPositions>& placed, std::uint32_t length) {
  while (!placed.empty() && placed.back().begin >= length) placed.pop_back();
  if (placed.empty()) return;
  SegmentPositions& last = placed.back();
  last.end = std::min(last.end, length);
  last.next = std::min(last.next, length);
}

}  // namespace packscope
