// SPDX-License-Identifier: MIT
// Writes windows as a folder of .npy arrays with manifest.json, a range of windows at a time.
#pragma once

#include <string>

#include "batch_ranges.hpp"
#include "manifest.hpp"

namespace packscope::native {

// `folder` exists, and is empty or what an earlier run of the same outcome left unfinished: its shards are
// kept. With outcome.plan_only only the plan's arrays are written; with outcome.fates also ledger.jsonl; with
// outcome.shard_windows the arrays of windows go into shards.
Status write_folder(const std::string& folder, const Outcome& outcome, const WorkShare& share);

}  // namespace packscope::native
