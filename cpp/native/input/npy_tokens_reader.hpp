// SPDX-License-Identifier: MIT
// Tokens in a .npy array, with the offsets of the documents in another.
#pragma once

#include <string>

#include "input/byte_source.hpp"
#include "input/corpus_data.hpp"
#include "input/read_options.hpp"

namespace packscope::native {

// Of D documents there are D + 1 offsets, ascending from 0 to the number of tokens: document d is
// tokens[offsets[d]:offsets[d + 1]]. Both have one dimension and integers of any width and byte order.
Status read_npy_tokens(const std::string& path, const std::string& offsets_path, const ReadOptions& options,
                       CorpusData& corpus, const ReadProgress& progress);

}  // namespace packscope::native
