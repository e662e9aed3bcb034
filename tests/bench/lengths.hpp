// SPDX-License-Identifier: MIT
// The lengths that benchmarks plan: seeded, so that every run sees the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "packscope/random.hpp"

namespace packscope_bench {

// Web documents: lognormal with median 300 and sigma 1.1, at least 1.
inline std::vector<std::uint32_t> lognormal_lengths(std::size_t count) {
  constexpr double kTwoPi = 6.283185307179586;
  packscope::Random random(300);
  const auto uniform = [&] { return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53; };
  std::vector<std::uint32_t> lengths(count);
  for (std::uint32_t& length : lengths) {
    const double normal = std::sqrt(-2 * std::log(uniform())) * std::cos(kTwoPi * uniform());
    length = std::max(1u, static_cast<std::uint32_t>(300 * std::exp(1.1 * normal)));
  }
  return lengths;
}

// Uniform in [shortest, longest].
inline std::vector<std::uint32_t> uniform_lengths(std::size_t count, std::uint32_t shortest,
                                                  std::uint32_t longest) {
  packscope::Random random(1);
  std::vector<std::uint32_t> lengths(count);
  for (std::uint32_t& length : lengths) {
    length = shortest + static_cast<std::uint32_t>(random.below(longest - shortest + 1));
  }
  return lengths;
}

// The documents of `length<TAB>count` lines in a shuffled order; none where the file is missing.
inline std::vector<std::uint32_t> histogram_lengths(const std::string& name) {
  const char* folder = std::getenv("PACKSCOPE_SHARED");
  std::ifstream file((folder ? std::string(folder) : std::string(PACKSCOPE_TESTS_DIR) + "/../../shared") +
                     "/data/" + name);
  std::vector<std::uint32_t> lengths;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream numbers(line);
    std::uint32_t length = 0;
    std::size_t count = 0;
    numbers >> length >> count;
    lengths.insert(lengths.end(), count, length);
  }
  packscope::Random random(1);
  packscope::shuffle(std::span(lengths), random);
  return lengths;
}

}  // namespace packscope_bench
