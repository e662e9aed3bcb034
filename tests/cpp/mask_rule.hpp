// SPDX-License-Identifier: MIT
// The rule of masks restated literally, and random windows and options to hold every form against it.
#pragma once

#include <random>
#include <vector>

#include "oracle/batch_oracle.hpp"
#include "packscope/masks.hpp"

namespace packscope_tests {

// The rule of the documentation, word by word, on what stands at two positions.
inline bool may_attend(const std::vector<packscope_oracle::Cell>& window, std::uint32_t q, std::uint32_t k,
                       const packscope::Plan& plan, const packscope::MaskOptions& options) {
  const packscope_oracle::Cell& query = window[q];
  const packscope_oracle::Cell& key = window[k];
  if (!query.real()) return options.padding_queries == packscope::PaddingQueries::self && q == k;
  if (!key.real()) return false;
  const bool same = query.segment == key.segment;
  if (options.document_mask && !same) return false;
  const std::uint32_t distance = q > k ? q - k : k - q;
  if (options.sliding_window && distance >= *options.sliding_window) return false;
  if (k <= q || options.mask == packscope::Mask::bidirectional) return true;
  if (!same || options.prefix_lengths.empty()) return false;
  const std::uint32_t prefix = options.prefix_lengths[key.document];
  const std::uint32_t offset = key.segment_offset + key.in_segment;
  return prefix > 0 && offset < prefix + (plan.options.bos_id ? 1 : 0);
}

inline packscope::MaskOptions random_mask_options(std::mt19937_64& random,
                                                  const std::vector<std::uint32_t>& prefixes) {
  packscope::MaskOptions options;
  if (random() % 2 == 0) options.mask = packscope::Mask::bidirectional;
  options.document_mask = random() % 2 == 0;
  if (random() % 2 == 0) options.sliding_window = 1 + static_cast<std::uint32_t>(random() % 12);
  if (random() % 2 == 0) options.prefix_lengths = prefixes;
  if (random() % 2 == 0) options.padding_queries = packscope::PaddingQueries::masked;
  return options;
}

// A random plan with prefixes for its documents.
struct MaskExample {
  explicit MaskExample(std::mt19937_64& random) : example(packscope_oracle::random_example(random)) {
    for (std::size_t i = 1; i < example.corpus.offsets.size(); ++i) {
      prefixes.push_back(static_cast<std::uint32_t>(random() % 12));
    }
    options = random_mask_options(random, prefixes);
  }
  MaskExample(const MaskExample&) = delete;
  MaskExample& operator=(const MaskExample&) = delete;

  // [context_length][context_length] of one window, by the rule.
  [[nodiscard]] std::vector<std::vector<bool>> mask(std::uint64_t window) const {
    const std::uint32_t length = example.plan.options.context_length;
    const auto cells = packscope_oracle::cells(example.plan, example.corpus.view(), window);
    std::vector<std::vector<bool>> rows(length, std::vector<bool>(length));
    for (std::uint32_t q = 0; q < length; ++q) {
      for (std::uint32_t k = 0; k < length; ++k) rows[q][k] = may_attend(cells, q, k, example.plan, options);
    }
    return rows;
  }

  packscope_oracle::Example example;
  std::vector<std::uint32_t> prefixes;
  packscope::MaskOptions options;
};

inline packscope::Plan window_of(std::uint32_t context_length,
                                 const std::vector<packscope::Segment>& segments) {
  packscope::Plan plan;
  plan.options.context_length = context_length;
  plan.segments.assign(segments.begin(), segments.end());
  plan.window_offsets.push_back(plan.segments.size());
  return plan;
}

}  // namespace packscope_tests
