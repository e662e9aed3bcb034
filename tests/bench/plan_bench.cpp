// SPDX-License-Identifier: MIT
// Planning with document ids, against a counting sort of the same lengths: what any offline planner that
// hands out ids must do at least. Memory is warm on both sides.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/lengths.hpp"
#include "packscope/packscope.hpp"
#include "thread_executor.hpp"

namespace packscope_bench {
namespace {

using packscope::Algorithm;
using packscope::Options;
using Lengths = std::vector<std::uint32_t>;

struct Data {
  std::string name;
  std::function<Lengths()> make;
  std::uint32_t context_length;
};

const std::vector<Data>& all_data() {
  static const std::vector<Data> data = {
      {"lognormal_10k", [] { return lognormal_lengths(10'000); }, 2048},
      {"lognormal_1M", [] { return lognormal_lengths(1'000'000); }, 2048},
      {"lognormal_10M", [] { return lognormal_lengths(10'000'000); }, 2048},
      {"squad", [] { return histogram_lengths("squad_384.hist.tsv"); }, 384},
      {"wikipedia", [] { return histogram_lengths("wikipedia_512.hist.tsv"); }, 512},
      {"above_half_1M", [] { return uniform_lengths(1'000'000, 1025, 2048); }, 2048},
      {"all_1_1M", [] { return uniform_lengths(1'000'000, 1, 1); }, 2048},
      {"all_equal_1M", [] { return uniform_lengths(1'000'000, 300, 300); }, 2048},
      {"wide_1M", [] { return uniform_lengths(1'000'000, 1, 1u << 20); }, 1u << 20},
  };
  return data;
}

// Made once for all benchmarks of the same data.
const Lengths& lengths_of(const Data& data) {
  static std::string held;
  static Lengths lengths;
  if (held != data.name) {
    lengths = data.make();
    held = data.name;
  }
  return lengths;
}

void count_documents(benchmark::State& state, std::size_t documents) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(documents));
}

bool missing(benchmark::State& state, const Lengths& lengths) {
  if (lengths.empty()) state.SkipWithError("the data is not here");
  return lengths.empty();
}

// Document ids by length, longest first. Lengths are all it knows, as planners do: it finds the longest, too.
void counting_sort(benchmark::State& state, const Data& data) {
  const Lengths& lengths = lengths_of(data);
  if (missing(state, lengths)) return;
  std::vector<std::uint32_t> next;
  Lengths ids(lengths.size());
  for (auto _ : state) {
    std::uint32_t longest = 0;
    for (const std::uint32_t length : lengths) longest = std::max(longest, length);
    next.assign(std::size_t{longest} + 1, 0);
    for (const std::uint32_t length : lengths) ++next[length];
    std::uint32_t rank = 0;
    for (std::size_t length = next.size(); length-- > 0;) rank += std::exchange(next[length], rank);
    for (std::uint32_t i = 0; i < lengths.size(); ++i) ids[next[lengths[i]]++] = i;
    benchmark::DoNotOptimize(ids.data());
    benchmark::ClobberMemory();
  }
  count_documents(state, lengths.size());
}

// With its fingerprint a plan is what pack() of the npm package gives.
enum class Fingerprint { no, yes };

void plan(benchmark::State& state, const Data& data, Options options,
          Fingerprint fingerprint = Fingerprint::no, packscope::Executor* executor = nullptr) {
  const Lengths& lengths = lengths_of(data);
  if (missing(state, lengths)) return;
  options.context_length = data.context_length;
  packscope::Plan made;
  packscope::PackScratch scratch;
  const auto pack = [&] {
    return packscope::pack_into(made, {.lengths = lengths}, options, scratch, executor);
  };
  if (const packscope::Status status = pack(); !status) {  // and the memory is warm
    return state.SkipWithError(status.error().message.c_str());
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(pack());
    if (fingerprint == Fingerprint::yes) benchmark::DoNotOptimize(packscope::fingerprint(made));
  }
  count_documents(state, lengths.size());
}

void plan_histogram(benchmark::State& state, const Data& data) {
  const Lengths& lengths = lengths_of(data);
  if (missing(state, lengths)) return;
  std::vector<packscope::LengthCount> histogram(
      std::size_t{*std::max_element(lengths.begin(), lengths.end())} + 1);
  for (std::uint32_t length = 0; length < histogram.size(); ++length) histogram[length].length = length;
  for (const std::uint32_t length : lengths) ++histogram[length].documents;
  Options options;
  options.algorithm = Algorithm::best_fit_decreasing;
  options.context_length = data.context_length;
  for (auto _ : state) benchmark::DoNotOptimize(packscope::pack_histogram(histogram, options));
  count_documents(state, lengths.size());
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMillisecond);
}

void add_all_of(const Data& data) {
  const std::string prefix = "plan/" + data.name + "/";
  add(prefix + "counting_sort", [&data](benchmark::State& state) { counting_sort(state, data); });
  for (const packscope::AlgorithmInfo& info : packscope::algorithms()) {
    add(prefix + std::string(info.name),
        [&data, &info](benchmark::State& state) { plan(state, data, Options{.algorithm = info.algorithm}); });
    add(prefix + std::string(info.name) + "/fingerprint", [&data, &info](benchmark::State& state) {
      plan(state, data, Options{.algorithm = info.algorithm}, Fingerprint::yes);
    });
  }
  const std::string threads = prefix + "best_fit_decreasing/2_threads";
  benchmark::RegisterBenchmark(threads.c_str(),
                               [&data](benchmark::State& state) {
                                 packscope_tests::ThreadExecutor executor(2);
                                 plan(state, data, Options{.algorithm = Algorithm::best_fit_decreasing},
                                      Fingerprint::no, &executor);
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();  // all threads together take longer
  add(prefix + "pack_histogram", [&data](benchmark::State& state) { plan_histogram(state, data); });
  for (const std::uint32_t open_windows : {1u, 16u, 1024u, 100'000u}) {
    for (const Algorithm algorithm : {Algorithm::first_fit, Algorithm::best_fit, Algorithm::worst_fit}) {
      const std::string name(packscope::algorithm_info(algorithm).name);
      add(prefix + name + "/" + std::to_string(open_windows), [=, &data](benchmark::State& state) {
        plan(state, data, Options{.algorithm = algorithm, .open_windows = open_windows});
      });
    }
  }
}

[[maybe_unused]] const bool registered = [] {
  for (const Data& data : all_data()) add_all_of(data);
  return true;
}();

}  // namespace
}  // namespace packscope_bench
