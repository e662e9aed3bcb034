// SPDX-License-Identifier: MIT
// Reads a plan back from the arrays of an output folder.
#pragma once

#include <string>

#include "output/manifest.hpp"

namespace packscope::native {

// Segments and window_offsets from disk, options and ledgers from the manifest. Offsets that do not
// ascend to the number of segments are an error, so that the plan is safe to walk.
Result<Plan> read_plan(const std::string& folder, const Manifest& manifest);

// What an output folder says about its windows, without their tokens.
struct PackedFolder {
  Manifest manifest;
  Plan plan;
};
Result<PackedFolder> read_packed_folder(const std::string& folder);

}  // namespace packscope::native
