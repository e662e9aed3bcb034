// SPDX-License-Identifier: MIT
// The alternative to packing: batches of documents of similar length, padded to the longest of each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "packscope/result.hpp"

namespace packscope {

// B batches. Batch b holds documents order[batch_offsets[b], batch_offsets[b+1]), each padded to
// padded_lengths[b]; position[d] is where document d stands in `order` (the inverse), or kNotGrouped.
struct LengthGroups {
  std::vector<std::uint32_t> order;           // documents, longest first, ties smallest index first
  std::vector<std::uint64_t> batch_offsets;   // [B+1]
  std::vector<std::uint32_t> padded_lengths;  // [B]
  std::vector<std::uint32_t> position;        // [D]
  std::uint64_t real_tokens = 0;
  std::uint64_t padded_tokens = 0;    // rows * padded length, summed
  std::uint64_t empty_documents = 0;  // skipped
};

inline constexpr std::uint32_t kNotGrouped = UINT32_MAX;

struct GroupByLengthOptions {
  std::uint64_t max_tokens = 0;  // rows * padded length at most; 0: no limit
  std::uint64_t max_rows = 0;    // rows at most; 0: no limit
  std::uint32_t pad_to = 1;      // padded lengths are multiples of this
};

// Sorts by length descending (stable) and cuts greedily. Errors: no limit given, pad_to of 0, or a
// document whose padded length alone exceeds max_tokens.
Result<LengthGroups> group_by_length(std::span<const std::uint32_t> lengths,
                                     const GroupByLengthOptions& options);

}  // namespace packscope
