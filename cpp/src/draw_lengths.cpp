// SPDX-License-Identifier: MIT
// Documents drawn from a length histogram.
#include <algorithm>
#include <utility>

#include "packscope/histogram.hpp"
#include "packscope/random.hpp"

namespace packscope {
namespace {

// Evenly spaced documents of the whole, so that every length comes in its proportion: the k-th of n is
// document k * documents / n. Written without a product that could pass 64 bits.
std::vector<std::uint32_t> spaced_lengths(std::span<const LengthCount> histogram, std::uint64_t documents,
                                          std::uint64_t n) {
  std::vector<std::uint32_t> lengths;
  lengths.reserve(static_cast<std::size_t>(n));
  const std::uint64_t step = documents / n, rest = documents % n;
  std::uint64_t before = 0;  // documents of the entries passed
  for (const LengthCount& entry : histogram) {
    before += entry.documents;
    while (lengths.size() < n && step * lengths.size() + rest * lengths.size() / n < before) {
      lengths.push_back(entry.length);
    }
  }
  return lengths;
}

}  // namespace

std::vector<std::uint32_t> draw_lengths(std::span<const LengthCount> histogram, std::uint64_t size,
                                        std::uint64_t seed) {
  std::uint64_t documents = 0;
  for (const LengthCount& entry : histogram) documents += entry.documents;
  const std::uint64_t n = std::min(documents, size);
  if (n == 0) return {};
  std::vector<std::uint32_t> lengths = spaced_lengths(histogram, documents, n);
  Random random(seed);
  shuffle(std::span(lengths), random);
  return lengths;
}

}  // namespace packscope
