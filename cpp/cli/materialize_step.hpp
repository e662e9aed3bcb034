// SPDX-License-Identifier: MIT
// Writing shards of a plan that stands in a folder: what materialize does, and each rank under mpirun.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "output/plan_reader.hpp"
#include "output/shards.hpp"

namespace packscope::cli {

// Writes `shards`, reading of `inputs` what they need, and compares those that are there. How many they are.
Result<std::uint64_t> materialize_shards(const std::string& folder, const native::PackedFolder& packed,
                                         const std::vector<native::Shard>& shards,
                                         const std::vector<std::string>& inputs, native::ReadOptions reader,
                                         bool quiet);

}  // namespace packscope::cli
