// SPDX-License-Identifier: MIT
#include "render/block_row.hpp"

#include <algorithm>

namespace packscope {

const std::vector<BlockKind>& BlockRow::classify(std::uint32_t row) {
  std::fill(touched_.begin(), touched_.end(), 0);
  std::fill(covered_.begin(), covered_.end(), 0);
  const std::uint64_t begin = std::uint64_t{row} * block_queries_;
  const std::uint64_t end = begin + block_queries_;
  for (std::uint64_t q = begin; q < std::min<std::uint64_t>(end, rows_.length()); ++q) {
    add_query(static_cast<std::uint32_t>(q));
  }
  std::int64_t touched = 0;
  std::int64_t covered = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    touched += touched_[i];
    covered += covered_[i];
    // A block that reaches beyond the window lacks queries, so that it is never full.
    const bool full = covered == static_cast<std::int64_t>(block_queries_);
    kinds_[i] = full ? BlockKind::full : touched > 0 ? BlockKind::partial : BlockKind::skipped;
  }
  return kinds_;
}

void BlockRow::add_query(std::uint32_t q) {
  if (!current_ || q < current_->placed.begin || q >= current_->placed.end) current_ = rows_.find(q);
  if (!current_) {
    if (rows_.padding_sees_itself()) add(q, q + 1);
    return;
  }
  pending_ = {};
  rows_.without_gaps(rows_.keys(q, current_->placed), [&](std::uint32_t begin, std::uint32_t end) {
    if (begin == pending_.end) {
      pending_.end = end;
      return;
    }
    add(pending_.begin, pending_.end);
    pending_ = {begin, end};
  });
  add(pending_.begin, pending_.end);
}

void BlockRow::add(std::uint32_t begin, std::uint32_t end) {
  if (begin >= end) return;
  ++touched_[begin / block_keys_];
  --touched_[(end - 1) / block_keys_ + 1];
  // Whole blocks inside, none that reach beyond the window.
  const std::uint64_t first = (std::uint64_t{begin} + block_keys_ - 1) / block_keys_;
  const std::uint64_t last = end / block_keys_;
  if (first >= last) return;
  ++covered_[first];
  --covered_[last];
}

}  // namespace packscope
