// SPDX-License-Identifier: MIT
// A window made ready to be asked, query by query, which keys it attends to. Every form but the predicate
// is built from this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "masks/key_rule.hpp"

namespace packscope {

// The keys of one query as the interval from the first to the last of them; empty where there are
// none. Those in the gaps between segments are no keys, see MaskedWindow::has_gaps.
struct QueryKeys {
  std::uint32_t query = 0;
  KeyInterval keys;
  bool padding = false;  // a padding query: its only key, if it has one, is itself
};

class MaskedWindow {
 public:
  // `options` must outlive the window.
  explicit MaskedWindow(const MaskOptions& options) : options_(options) {}

  // What can be refused without looking at a window: options, and windows that the plan does not have.
  static Status check(const Plan& plan, WindowRange windows, const MaskOptions& options);

  // Moves on to a window of the plan. Errors: one that its segments overflow, prefix_lengths without an
  // entry for one of its documents.
  Status place(const Plan& plan, std::uint64_t window);

  [[nodiscard]] std::uint32_t length() const { return length_; }
  [[nodiscard]] std::span<const SegmentPositions> segments() const { return segments_; }

  // Whether keys may have gaps of document_multiple between them.
  [[nodiscard]] bool has_gaps() const { return has_gaps_; }

  // Calls visit(QueryKeys) for each query in order.
  template <class Visit>
  void for_each_query(Visit visit) const {
    std::uint32_t padding = 0;
    for (const SegmentPositions& segment : segments_) {
      visit_padding(padding, segment.begin, visit);
      padding = segment.end;
      const std::uint32_t prefix = prefix_end(segment, options_, bos_);
      for (std::uint32_t q = segment.begin; q < segment.end; ++q) {
        const KeyInterval keys = keys_of(q, segment, prefix, length_, options_);
        visit(QueryKeys{q, options_.document_mask ? keys : without_outer_padding(keys), false});
      }
    }
    visit_padding(padding, length_, visit);
  }

 private:
  template <class Visit>
  void visit_padding(std::uint32_t begin, std::uint32_t end, Visit& visit) const {
    const std::uint32_t seen = options_.padding_queries == PaddingQueries::self ? 1 : 0;
    for (std::uint32_t q = begin; q < end; ++q) visit(QueryKeys{q, {q, q + seen}, true});
  }

  // Begins and ends `keys`, which hold a real position, with one.
  [[nodiscard]] KeyInterval without_outer_padding(KeyInterval keys) const;

  const MaskOptions& options_;
  std::vector<SegmentPositions> segments_;
  std::uint32_t length_ = 0;
  std::uint32_t bos_ = 0;
  bool has_gaps_ = false;
};

}  // namespace packscope
