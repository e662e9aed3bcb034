// SPDX-License-Identifier: MIT
// The rule of attention between positions of one window, in the one place every form of a mask asks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "packscope/masks.hpp"
#include "window_positions.hpp"

namespace packscope {

// One past the last position of the segment that belongs to its document's prefix; `begin` if none does.
inline std::uint32_t prefix_end(const SegmentPositions& segment, const MaskOptions& options,
                                std::uint32_t bos) {
  if (segment.document >= options.prefix_lengths.size()) return segment.begin;
  const std::uint64_t prefix = options.prefix_lengths[segment.document];
  if (prefix == 0) return segment.begin;
  // A BOS comes before the document's tokens and is read with them.
  const std::uint64_t prefix_offset = prefix + bos;
  if (prefix_offset <= segment.document_offset) return segment.begin;
  const std::uint64_t inside = prefix_offset - segment.document_offset;
  return segment.begin + static_cast<std::uint32_t>(std::min<std::uint64_t>(inside, segment.length()));
}

// The keys of real query q, which stands in `segment`: those of the result that are real. With the
// document rule all of them are, and stand in the segment too.
inline KeyInterval keys_of(std::uint32_t q, const SegmentPositions& segment, std::uint32_t prefix_end,
                           std::uint32_t window_length, const MaskOptions& options) {
  const std::uint32_t first = options.document_mask ? segment.begin : 0;
  const std::uint32_t last = options.document_mask ? segment.end : window_length;
  KeyInterval keys{first, options.mask == Mask::bidirectional ? last : std::max(q + 1, prefix_end)};
  if (options.sliding_window) {
    const std::uint32_t reach = *options.sliding_window;
    if (q >= reach) keys.begin = std::max(keys.begin, q - reach + 1);
    keys.end = static_cast<std::uint32_t>(std::min<std::uint64_t>(keys.end, std::uint64_t{q} + reach));
  }
  return keys;
}

}  // namespace packscope
