// SPDX-License-Identifier: MIT
// The keys of one query of a window, as intervals, asked query by query in any order.
#pragma once

#include <cstdint>
#include <optional>

#include "masks/key_rule.hpp"
#include "packscope/render.hpp"

namespace packscope {

class MaskRows {
 public:
  MaskRows(const PlanOutline& outline, std::uint64_t window, const MaskOptions& options)
      : outline_(outline),
        segments_(outline.plan().window(window)),
        window_(window),
        rules_(outline.plan().options),
        length_(outline.plan().options.context_length),
        options_(options) {}

  [[nodiscard]] std::uint32_t length() const { return length_; }
  [[nodiscard]] std::uint32_t tail() const { return std::min(outline_.tail(window_), length_); }

  // The segment whose tokens hold `position`, with its index.
  struct Found {
    std::uint32_t index = 0;
    SegmentPositions placed;
  };
  [[nodiscard]] std::optional<Found> find(std::uint32_t position) const {
    const std::optional<std::uint32_t> index = outline_.segment_at(window_, position);
    if (!index) return std::nullopt;
    SegmentPositions placed = place_segment(segments_[*index], outline_.begins(window_)[*index], rules_);
    if (position >= placed.end) return std::nullopt;
    placed.end = std::min(placed.end, length_);
    placed.next = std::min(placed.next, length_);
    return Found{*index, placed};
  }

  // The keys of a real query; without the document rule they run over the gaps of document_multiple, which
  // are no keys, but not into the padding tail.
  [[nodiscard]] KeyInterval keys(std::uint32_t q, const SegmentPositions& segment) const {
    KeyInterval keys = keys_of(q, segment, prefix_end(segment, options_, rules_.bos), length_, options_);
    keys.end = std::min(keys.end, tail());
    return keys;
  }

  // Whether a query on padding sees itself.
  [[nodiscard]] bool padding_sees_itself() const { return options_.padding_queries == PaddingQueries::self; }

  // Calls use(begin, end) for what of `keys` are tokens: in one piece unless there are gaps.
  template <class Use>
  void without_gaps(KeyInterval keys, Use use) const {
    if (rules_.multiple == 1 || options_.document_mask) {
      if (keys.begin < keys.end) use(keys.begin, keys.end);
      return;
    }
    std::uint32_t begin = keys.begin;
    while (begin < keys.end) {
      const std::optional<std::uint32_t> index = outline_.segment_at(window_, begin);
      if (!index) return;
      const SegmentPositions placed =
          place_segment(segments_[*index], outline_.begins(window_)[*index], rules_);
      const std::uint32_t end = std::min(placed.end, keys.end);
      if (begin < end) use(begin, end);
      begin = placed.next;
    }
  }

 private:
  const PlanOutline& outline_;
  std::span<const Segment> segments_;
  std::uint64_t window_;
  WindowRules rules_;
  std::uint32_t length_;
  const MaskOptions& options_;
};

}  // namespace packscope
