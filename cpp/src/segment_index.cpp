// SPDX-License-Identifier: MIT
#include "segment_index.hpp"

#include <algorithm>

namespace packscope {

SegmentIndex::SegmentIndex(const WindowList& windows, std::size_t document_count)
    : offsets_(document_count + 2, 0), segments_(windows.segments.size()) {
  for (const Segment& segment : windows.segments) {
    if (segment.document < document_count) ++offsets_[std::size_t{segment.document} + 2];
  }
  for (std::size_t d = 2; d < offsets_.size(); ++d) offsets_[d] += offsets_[d - 1];
  for (std::uint64_t w = 0; w < windows.window_count(); ++w) {
    const std::span<const Segment> window = windows.window(w);
    for (std::size_t i = 0; i < window.size(); ++i) {
      if (window[i].document >= document_count) continue;
      const std::uint64_t at = offsets_[std::size_t{window[i].document} + 1]++;
      segments_[static_cast<std::size_t>(at)] = {window[i].document_offset, window[i].length, w,
                                                 i + 1 == window.size()};
    }
  }
  offsets_.pop_back();
  for (std::size_t d = 0; d < document_count; ++d) {
    if (of(d).size() < 2) continue;
    const auto first = segments_.begin() + static_cast<std::ptrdiff_t>(offsets_[d]);
    std::sort(first, first + static_cast<std::ptrdiff_t>(of(d).size()),
              [](const IndexedSegment& a, const IndexedSegment& b) {
                return a.document_offset < b.document_offset;
              });
  }
}

}  // namespace packscope
