// SPDX-License-Identifier: MIT
// Raw token files: nothing but ids of 2 or 4 bytes, each document ended by one that says so.
#pragma once

#include <string>

#include "input/byte_source.hpp"
#include "input/corpus_data.hpp"
#include "input/read_options.hpp"

namespace packscope::native {

// The end-of-document id stays its document's last token. Tokens behind the last one are a document too,
// counted among the repairs; a file without any is refused, for its ids are then of another type or another
// tokenizer.
Status read_token_file(const std::string& path, const ReadOptions& options, CorpusData& corpus,
                       const ReadProgress& progress);

}  // namespace packscope::native
