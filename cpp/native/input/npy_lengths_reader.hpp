// SPDX-License-Identifier: MIT
// Document lengths in a .npy array of integers of any width and byte order.
#pragma once

#include "input/corpus_data.hpp"
#include "input/read_options.hpp"

namespace packscope::native {

// Refuses other dtypes, more than one dimension, and a file shorter or longer than its header says.
Status read_npy_lengths(ByteSource source, const ReadOptions& options, CorpusData& corpus,
                        const ReadProgress& progress);

}  // namespace packscope::native
