// SPDX-License-Identifier: MIT
// Plain text: a document a line, or a document a file. Only line ends and a byte order mark at the start are
// taken off; what the bytes may be is for the tokenizer to say.
#pragma once

#include "input/corpus_data.hpp"
#include "input/read_options.hpp"
#include "input/text_tokenizer.hpp"

namespace packscope::native {

// An empty line is an empty document; a missing line feed at the end adds nothing.
Status read_text_lines(ByteSource source, const ReadOptions& options, const TextTokenizer& tokenizer,
                       CorpusData& corpus, const ReadProgress& progress);

// The whole file, its line ends included, is one document.
Status read_text_file(ByteSource source, const ReadOptions& options, const TextTokenizer& tokenizer,
                      CorpusData& corpus, const ReadProgress& progress);

}  // namespace packscope::native
