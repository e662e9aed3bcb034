// SPDX-License-Identifier: MIT
#include "window_tally.hpp"

#include <algorithm>

namespace packscope {

WindowTally::WindowTally(const Options& options, Stats& stats)
    : rules_(options), context_length_(options.context_length), stats_(stats) {}

void WindowTally::add_segment(std::uint32_t length) {
  // With extra_token the model does not see the last stored token as an input.
  const std::uint64_t seen_end = std::min<std::uint64_t>(position_ + length, context_length_);
  const std::uint64_t seen = seen_end - std::min(seen_end, position_);
  ++segments_;
  tokens_ += length;
  position_ += rules_.positions(length);
  squares_ += std::uint64_t{length} * length;
  pairs_ += seen * (seen + 1) / 2;
}

void WindowTally::end_window(std::uint64_t times) {
  stats_.windows += times;
  if (segments_ == 0) {
    stats_.filler_windows += times;
    return;
  }
  stats_.segments += times * segments_;
  stats_.real_tokens += times * tokens_;
  stats_.padding_tokens += times * (rules_.window - tokens_);
  stats_.sum_squared_lengths += times * squares_;
  stats_.attention_pairs += times * pairs_;
  stats_.causal_pairs += times * (std::uint64_t{context_length_} * (std::uint64_t{context_length_} + 1) / 2);
  if (windows_by_segments_.size() <= segments_)
    windows_by_segments_.resize(static_cast<std::size_t>(segments_ + 1));
  windows_by_segments_[static_cast<std::size_t>(segments_)] += times;
  segments_ = tokens_ = position_ = squares_ = pairs_ = 0;
}

// The rank-th smallest number of documents, counted from 1.
std::uint64_t WindowTally::rank_value(std::uint64_t rank) const {
  std::uint64_t seen = 0;
  for (std::size_t count = 0; count < windows_by_segments_.size(); ++count) {
    seen += windows_by_segments_[count];
    if (seen >= rank) return count;
  }
  return 0;
}

void WindowTally::finish() {
  const std::uint64_t windows = stats_.windows - stats_.filler_windows;
  if (windows == 0) return;
  DocumentsPerWindow& documents = stats_.documents_per_window;
  documents.min = rank_value(1);
  documents.p50 = rank_value((windows * 50 + 99) / 100);
  documents.p95 = rank_value((windows * 95 + 99) / 100);
  documents.max = rank_value(windows);
  documents.mean = static_cast<double>(stats_.segments) / static_cast<double>(windows);
}

std::uint64_t martello_toth_bound(const std::vector<std::uint64_t>& counts, std::uint32_t capacity) {
  const std::uint32_t half = capacity / 2;
  const auto sizes = static_cast<std::uint32_t>(counts.size());
  std::uint64_t large = 0;       // items above half: no two share a window
  std::uint64_t large_room = 0;  // room beside those of them that are not above capacity - alpha
  for (std::uint32_t size = half + 1; size < sizes; ++size) {
    large += counts[size];
    large_room += counts[size] * (capacity - size);
  }
  std::uint64_t small_tokens = 0;  // of items from alpha to half
  for (std::uint32_t size = 1; size <= half && size < sizes; ++size) small_tokens += counts[size] * size;

  std::uint64_t bound = 0;
  for (std::uint32_t alpha = 0; alpha <= half && alpha <= sizes; ++alpha) {
    if (alpha > 0) {
      small_tokens -= counts[alpha - 1] * (alpha - 1);
      const std::uint32_t size = capacity - alpha + 1;
      if (size > half && size < sizes) large_room -= counts[size] * (alpha - 1);
    }
    const std::uint64_t over = small_tokens > large_room ? small_tokens - large_room : 0;
    bound = std::max(bound, large + (over + capacity - 1) / capacity);
  }
  return bound;
}

}  // namespace packscope
