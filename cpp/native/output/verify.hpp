// SPDX-License-Identifier: MIT
// Proves that an output folder holds its input: nothing lost, doubled or out of place.
#pragma once

#include <string>

#include "output/batch_ranges.hpp"
#include "output/manifest.hpp"

namespace packscope::native {

struct Verified {
  std::uint64_t windows = 0;
  std::uint64_t tokens = 0;     // of the input, each found once or counted as dropped
  std::uint64_t arrays = 0;     // files compared
  bool token_by_token = false;  // false: lengths alone or a plan alone, so there are no tokens to walk
};

// `corpus` is the input, read again. The first difference is an error with window, position and values.
Result<Verified> verify_folder(const std::string& folder, const Manifest& manifest, const CorpusData& corpus,
                               const WorkShare& share);

// Without the input: every file has the dtype, shape and checksum that it was written with, no shard is
// missing, and the plan is the one of the manifest.
Result<Verified> verify_files(const std::string& folder, const Manifest& manifest);

}  // namespace packscope::native
