// SPDX-License-Identifier: MIT
// Where the segments of a window stand. Arrays, cu_seqlens and masks all take positions from here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "packscope/plan.hpp"
#include "window_rules.hpp"

namespace packscope {

// A segment's tokens stand at positions [begin, end) of its window; [end, next) is the gap of
// document_multiple, and the next segment begins at `next`.
struct SegmentPositions {
  std::uint32_t document = 0;
  std::uint32_t document_offset = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t next = 0;

  [[nodiscard]] std::uint32_t length() const { return end - begin; }
};

// The segment placed at `begin`. It must fit: begin + length <= rules.window.
inline SegmentPositions place_segment(const Segment& segment, std::uint32_t begin, const WindowRules& rules) {
  const std::uint32_t next = std::min(begin + rules.positions(segment.length), rules.window);
  return {segment.document, segment.document_offset, begin, begin + segment.length, next};
}

// Where the padding tail of a window begins.
inline std::uint32_t tail_begin(std::span<const SegmentPositions> segments) {
  return segments.empty() ? 0 : segments.back().next;
}

// Places the segments of `window` into `placed`, whose memory is reused. A window that does not
// exist, or that its segments overflow, is an error.
Status place_window(const WindowList& windows, std::uint64_t window, const WindowRules& rules,
                    std::vector<SegmentPositions>& placed);

// Cuts positions at and beyond `length`; a segment with no position left goes.
void cut_positions(std::vector<SegmentPositions>& placed, std::uint32_t length);

}  // namespace packscope
