// SPDX-License-Identifier: MIT
// The body of pack_sequences, which works on any record type. Include operators.hpp instead.
#pragma once

#include "packscope/operators.hpp"

namespace packscope {
namespace internal {

// Plans records of these lengths; refuses options that records cannot carry.
Result<Plan> plan_records(std::span<const std::uint64_t> lengths, const Options& options);

}  // namespace internal

template <class Record, class Length, class Slice>
Result<std::vector<std::vector<Record>>> pack_sequences(std::span<const Record> records, Length length,
                                                        Slice slice, const Options& options) {
  std::vector<std::uint64_t> lengths;
  lengths.reserve(records.size());
  for (const Record& record : records) lengths.push_back(static_cast<std::uint64_t>(length(record)));
  const Result<Plan> plan = internal::plan_records(lengths, options);
  if (!plan) return plan.error();

  std::vector<std::vector<Record>> groups(static_cast<std::size_t>(plan->window_count()));
  for (std::size_t window = 0; window < groups.size(); ++window) {
    for (const Segment& segment : plan->window(window)) {
      const Record& record = records[segment.document];
      const bool whole = segment.length == lengths[segment.document];
      groups[window].push_back(whole ? record : slice(record, segment.document_offset, segment.length));
    }
  }
  return groups;
}

}  // namespace packscope
