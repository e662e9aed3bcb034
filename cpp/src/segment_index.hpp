// SPDX-License-Identifier: MIT
// The segments of a plan by document, each document's in order of offset.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "packscope/plan.hpp"

namespace packscope {

struct IndexedSegment {
  std::uint32_t document_offset;
  std::uint32_t length;
  std::uint64_t window;
  bool last_in_window;
};

class SegmentIndex {
 public:
  // Of the documents below document_count; segments of others are left out.
  SegmentIndex(const WindowList& windows, std::size_t document_count);

  [[nodiscard]] std::span<const IndexedSegment> of(std::size_t document) const {
    const std::uint64_t first = offsets_[document];
    return std::span(segments_).subspan(static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(offsets_[document + 1] - first));
  }

 private:
  std::vector<std::uint64_t> offsets_;  // [D+1]
  std::vector<IndexedSegment> segments_;
};

}  // namespace packscope
