// SPDX-License-Identifier: MIT
// Writes windows as a folder of .npy arrays with manifest.json, a range of windows at a time.
#pragma once

#include <functional>
#include <string>

#include "manifest.hpp"

namespace packscope::native {

// Told how many windows of how many are written.
using WriteProgress = std::function<void(std::uint64_t done_windows, std::uint64_t total_windows)>;

// `folder` exists and is empty. With outcome.plan_only only the plan's arrays are written; with
// outcome.fates also ledger.jsonl.
Status write_folder(const std::string& folder, const Outcome& outcome, const WriteProgress& progress);

}  // namespace packscope::native
