// SPDX-License-Identifier: MIT
// A corpus as a folder of arrays with corpus.json: what `packscope lengths` leaves of its input, so that
// planning reads the lengths alone and each worker the tokens of its own windows alone.
#pragma once

#include <string>
#include <vector>

#include "input/corpus_data.hpp"
#include "input/read_options.hpp"

namespace packscope::native {

inline constexpr std::string_view kCorpusName = "corpus.json";

// `folder` exists and is empty. `inputs` are what the corpus was read from.
Status write_corpus(const std::string& folder, const CorpusData& corpus,
                    const std::vector<std::string>& inputs);

// Whether `path` is such a folder.
bool is_corpus_folder(const std::string& path);

// Appends its documents; of those that options.needed_documents leaves out, the lengths alone. Errors where
// `corpus` already holds documents of another make: with other fields, or with masks where this has none.
Status read_corpus(const std::string& folder, const ReadOptions& options, CorpusData& corpus);

}  // namespace packscope::native
