// SPDX-License-Identifier: MIT
// The folders in which an output keeps the arrays of its windows, and whether their files are as listed.
#pragma once

#include <filesystem>
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
                                             const Plan& plan);

// The folder has exactly the listed arrays, with the dtypes and shapes that the list tells, and what belongs
// around them.
Status check_listing(const std::string& folder, const std::vector<ArrayEntry>& arrays);

// Whether a file's name is that of a file of arrays.
bool is_array_file(const std::filesystem::path& path);

// Whether one of these arrays is kept in the file of this name, or has its index there.
bool lists_file(const std::vector<ArrayEntry>& arrays, std::string_view name);

// The values of the arrays have the listed checksums.
Status check_checksums(const std::string& folder, const std::vector<ArrayEntry>& arrays);

// `hash`: XXH64 of the values of the array at `place`.
Status check_checksum(const std::string& place, const ArrayEntry& entry, std::uint64_t hash);

}  // namespace packscope::native
