// SPDX-License-Identifier: MIT
// The layout of a .safetensors file (https://github.com/huggingface/safetensors): the length of a JSON header
// as u64, the header, then the values without gaps.
#pragma once

#include "output/array_archive.hpp"

namespace packscope::native {

const ArchiveLayout& safetensors_layout();

}  // namespace packscope::native
