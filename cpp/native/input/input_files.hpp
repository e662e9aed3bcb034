// SPDX-License-Identifier: MIT
// Which files the inputs of a command line name: files as they are, folders and patterns as what is in them.
#pragma once

#include <string>
#include <vector>

#include "packscope/result.hpp"

namespace packscope::native {

// Inputs stay in the order given. A folder becomes the files directly in it, but for hidden ones; a pattern
// (with *, ? or [ ]) that names no file becomes what matches it; both in the order of the bytes of their
// paths. A corpus folder is one input, as a file is. Of a Megatron pair the index stands for both. Errors
// where a folder or pattern gives nothing, or a folder is an output of packscope.
Result<std::vector<std::string>> input_files(const std::vector<std::string>& inputs);

}  // namespace packscope::native
