// SPDX-License-Identifier: MIT
// The predicate: one query and one key, without building anything.
#include "masks/key_rule.hpp"

namespace packscope {
namespace {

// The segment that holds a token at `position`, if one does.
std::optional<SegmentPositions> segment_at(std::span<const Segment> segments, const WindowRules& rules,
                                           std::uint32_t position) {
  std::uint32_t begin = 0;
  for (const Segment& segment : segments) {
    const SegmentPositions placed = place_segment(segment, begin, rules);
    if (position < placed.begin) break;
    if (position < placed.end) return placed;
    begin = placed.next;
  }
  return std::nullopt;
}

}  // namespace

bool attends(const Plan& plan, std::uint64_t window, std::uint32_t q, std::uint32_t k,
             const MaskOptions& options) {
  const WindowRules rules(plan.options);
  const std::span<const Segment> segments = plan.window(window);
  const std::optional<SegmentPositions> segment = segment_at(segments, rules, q);
  if (!segment) return q == k && options.padding_queries == PaddingQueries::self;
  const KeyInterval keys =
      keys_of(q, *segment, prefix_end(*segment, options, rules.bos), plan.options.context_length, options);
  if (k < keys.begin || k >= keys.end) return false;
  return options.document_mask || segment_at(segments, rules, k).has_value();
}

}  // namespace packscope
