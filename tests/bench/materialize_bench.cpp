// SPDX-License-Identifier: MIT
// Materializing all arrays of a batch, against memcpy of as many bytes. Memory is warm on both sides and far
// larger than the caches.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/lengths.hpp"
#include "packscope/packscope.hpp"

namespace packscope_bench {
namespace {

using Lengths = std::vector<std::uint32_t>;

// Documents of ascending token ids, and their plan.
struct Input {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> document_offsets{0};
  packscope::Plan plan;

  Input(const Lengths& lengths, std::uint32_t context_length) {
    for (const std::uint32_t length : lengths) document_offsets.push_back(document_offsets.back() + length);
    tokens.resize(static_cast<std::size_t>(document_offsets.back()));
    for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<std::int32_t>(i % 50'000);
    packscope::Options options;
    options.context_length = context_length;
    plan = *packscope::pack({.lengths = lengths}, options);
  }

  [[nodiscard]] packscope::Corpus corpus() const {
    return {.tokens = tokens, .document_offsets = document_offsets};
  }
  [[nodiscard]] packscope::WindowRange all() const { return {0, plan.window_count()}; }
};

template <class T>
std::size_t bytes(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

std::size_t bytes(const packscope::Batch& batch) {
  return bytes(batch.input_ids) + bytes(batch.labels) + bytes(batch.position_ids) + bytes(batch.doc_ids) +
         bytes(batch.segment_ids) + bytes(batch.loss_mask) + bytes(batch.cu_seqlens);
}

packscope::Batch batch_of(const Input& input) {
  return *packscope::materialize(input.plan, input.corpus(), input.all());
}

void copy(benchmark::State& state, const Input& input) {
  const std::size_t size = bytes(batch_of(input));
  const std::vector<char> from(size, 'x');
  std::vector<char> to(size, 'y');
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), size);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}

void materialize(benchmark::State& state, const Input& input) {
  packscope::Batch batch = batch_of(input);
  for (auto _ : state) {
    const packscope::Status status =
        packscope::materialize_into(batch, input.plan, input.corpus(), input.all());
    if (!status) return state.SkipWithError(status.error().message.c_str());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes(batch)));
}

template <class MakeLengths>
void add(const std::string& name, std::uint32_t context_length, MakeLengths make_lengths) {
  const auto with_input = [=](void (*body)(benchmark::State&, const Input&)) {
    return [=](benchmark::State& state) { body(state, Input(make_lengths(), context_length)); };
  };
  const std::string prefix = "materialize/" + name + "/";
  benchmark::RegisterBenchmark((prefix + "memcpy").c_str(), with_input(copy))->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark((prefix + "all_arrays").c_str(), with_input(materialize))
      ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = [] {
  add("lognormal", 2048, [] { return lognormal_lengths(10'000); });
  add("very_short", 2048, [] { return uniform_lengths(1'000'000, 1, 9); });
  return true;
}();

}  // namespace
}  // namespace packscope_bench
