// SPDX-License-Identifier: MIT
// The folders in which an output keeps the arrays of its windows, and whether their files are as listed.
#pragma once

#include <string>
#include <vector>

#include "output/manifest.hpp"
#include "packscope/batch.hpp"

namespace packscope::native {

// A folder with arrays: that of the output itself, or a shard's.
struct OutputPart {
  std::string folder;
  WindowRange windows;
  std::vector<ArrayEntry> arrays;  // of windows; the plan's are not among them
};

// All of them, in the order of their windows. Errors where shards are missing, or made for another plan.
Result<std::vector<OutputPart>> output_parts(const std::string& folder, const Manifest& manifest,
                                             std::uint64_t window_count);

// The folder has exactly the listed arrays, with the dtypes and shapes that the list tells.
Status check_listing(const std::string& folder, const std::vector<ArrayEntry>& arrays);

// The values of the arrays have the listed checksums.
Status check_checksums(const std::string& folder, const std::vector<ArrayEntry>& arrays);

}  // namespace packscope::native
