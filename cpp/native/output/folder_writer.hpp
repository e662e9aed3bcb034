// SPDX-License-Identifier: MIT
// Writes windows as a folder of .npy arrays with manifest.json, a range of windows at a time.
#pragma once

#include <string>

#include "output/batch_ranges.hpp"
#include "output/manifest.hpp"

namespace packscope::native {

// `folder` exists, and is empty or what an earlier run of the same outcome left unfinished: its shards are
// kept. With outcome.plan_only or outcome.shard_windows only the plan's arrays are written (see
// write_shards); with outcome.fates also ledger.jsonl.
Status write_folder(const std::string& folder, const Outcome& outcome, const WorkShare& share);

// Turns a folder with all shards of `shard_windows` windows into the one that write_folder makes without
// shards.
Status join_shards(const std::string& folder, const Outcome& outcome, std::uint64_t shard_windows);

}  // namespace packscope::native
