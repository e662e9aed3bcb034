// SPDX-License-Identifier: MIT
// The SIMD kernels against their scalar twins.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/lengths.hpp"
#include "kernels/length_totals.hpp"
#include "kernels/room_scan.hpp"

namespace packscope_bench {
namespace {

using packscope::RoomScan;
using Scan = RoomScan::Scan;

// Rooms as they are while packing: one window in eight fits.
void scan_rooms(benchmark::State& state, std::size_t windows, Scan scan) {
  const std::vector<std::uint32_t> rooms = uniform_lengths(windows, 1, 2048);
  const std::vector<std::uint32_t> needed = uniform_lengths(256, 1800, 2048);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(scan(rooms, needed[i++ % needed.size()]));
}

using Totals = packscope::LengthTotals (*)(std::span<const std::uint32_t>);

void total_lengths(benchmark::State& state, Totals totals) {
  const std::vector<std::uint32_t> lengths = lognormal_lengths(1'000'000);
  for (auto _ : state) benchmark::DoNotOptimize(totals(lengths));
}

[[maybe_unused]] const bool totals_registered = [] {
  for (const auto& [kind, function] : {std::pair("scalar", &packscope::scalar_length_totals),
                                       std::pair("simd", &packscope::length_totals)}) {
    benchmark::RegisterBenchmark(
        (std::string("kernels/length_totals/") + kind).c_str(),
        [function = function](benchmark::State& state) { total_lengths(state, function); })
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

[[maybe_unused]] const bool scans_registered = [] {
  const RoomScan simd = packscope::room_scan();
  const RoomScan scalar = packscope::scalar_room_scan();
  const struct {
    std::string name;
    Scan simd;
    Scan scalar;
  } scans[] = {{"first", simd.first, scalar.first},
               {"tightest", simd.tightest, scalar.tightest},
               {"roomiest", simd.roomiest, scalar.roomiest}};
  for (const auto& scan : scans) {
    for (const std::size_t windows : {16u, 64u, 512u}) {
      const std::string prefix = "kernels/" + scan.name + "_room_of_" + std::to_string(windows) + "/";
      for (const auto& [kind, function] : {std::pair("scalar", scan.scalar), std::pair("simd", scan.simd)}) {
        benchmark::RegisterBenchmark((prefix + kind).c_str(), [windows,
                                                               function = function](benchmark::State& state) {
          scan_rooms(state, windows, function);
        })->Unit(benchmark::kNanosecond);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace packscope_bench
