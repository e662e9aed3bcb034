// SPDX-License-Identifier: MIT
// Time and peak memory of planning very many documents once, on cold memory.
//
//   plan_memory [DOCUMENTS [ALGORITHM]]     100000000 best_fit_decreasing
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/lengths.hpp"
#include "packscope/packscope.hpp"

namespace {

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t documents = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000'000;
  packscope::Options options;
  if (argc > 2 && !packscope::set_option(options, "algorithm", argv[2])) {
    std::fprintf(stderr, "no algorithm %s\n", argv[2]);
    return 2;
  }
  const std::vector<std::uint32_t> lengths = packscope_bench::lognormal_lengths(documents);
  packscope::Documents input;
  input.lengths = lengths;

  const double before = peak_bytes();
  const auto start = std::chrono::steady_clock::now();
  const auto plan = packscope::pack(input, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!plan) {
    std::fprintf(stderr, "%s\n", plan.error().message.c_str());
    return 1;
  }
  const auto count = static_cast<double>(documents);
  std::printf("%zu documents, %llu windows: %.2f s, %.1f million documents a second, %.1f bytes a document\n",
              documents, static_cast<unsigned long long>(plan->window_count()), seconds.count(),
              count / seconds.count() / 1e6, (peak_bytes() - before) / count);
  return 0;
}
