// SPDX-License-Identifier: MIT
// How much memory this program has used at most.
#pragma once

#include <cstdint>

namespace packscope::native {

// Bytes that were resident at once, pages of mapped files included.
std::uint64_t peak_memory_bytes();

}  // namespace packscope::native
