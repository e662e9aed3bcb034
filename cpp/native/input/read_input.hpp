// SPDX-License-Identifier: MIT
// Reads all input files of a run with the reader of their kind.
#pragma once

#include <span>
#include <string>

#include "input/corpus_data.hpp"
#include "input/read_options.hpp"

namespace packscope::native {

// Documents are numbered from 0 through all files in the order given. A histogram stays one: see
// expand_histogram.
Result<CorpusData> read_input(std::span<const std::string> paths, const ReadOptions& options,
                              const ReadProgress& progress);

}  // namespace packscope::native
