// SPDX-License-Identifier: MIT
// pack --stream: windows are written while the input is read, as they close.
#pragma once

#include "pack_job.hpp"

namespace packscope::cli {

// Refuses what needs all documents, or all windows, before the first window.
Status check_stream(const PackJob& job);

Result<int> pack_as_stream(PackJob job);

}  // namespace packscope::cli
