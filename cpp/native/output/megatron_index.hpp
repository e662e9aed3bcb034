// SPDX-License-Identifier: MIT
// The index that makes a matrix of token ids a data set of Megatron-LM: each row is a sequence, and a
// document.
#pragma once

#include <string>

#include "files/array_entries.hpp"
#include "files/megatron_layout.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

inline constexpr std::string_view kMegatronArray = "input_ids";

// Writes FOLDER/NAME.idx for a matrix of "<i4" or "<u2".
Status write_megatron_index(const std::string& folder, const ArrayEntry& entry);

// Errors where FOLDER/NAME.idx is not what write_megatron_index writes, or more than the array is in
// NAME.bin.
Status check_megatron_index(const std::string& folder, const ArrayEntry& entry);

}  // namespace packscope::native
