// SPDX-License-Identifier: MIT
// Plain text, tokenized by bytes: a document a line, or a document a file. Bytes pass as they are,
// valid UTF-8 or not; only line ends and a byte order mark at the start are taken off.
#pragma once

#include "corpus_data.hpp"
#include "read_options.hpp"

namespace packscope::native {

// An empty line is an empty document; a missing line feed at the end adds nothing.
Status read_text_lines(ByteSource source, const ReadOptions& options, CorpusData& corpus,
                       const ReadProgress& progress);

// The whole file, its line ends included, is one document.
Status read_text_file(ByteSource source, CorpusData& corpus, const ReadProgress& progress);

}  // namespace packscope::native
