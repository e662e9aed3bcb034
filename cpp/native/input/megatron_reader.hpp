// SPDX-License-Identifier: MIT
// Token files as Megatron-LM writes them: FILE.idx says where each sequence lies in FILE.bin.
#pragma once

#include <string>

#include "input/byte_source.hpp"
#include "input/corpus_data.hpp"
#include "input/read_options.hpp"

namespace packscope::native {

// `path` is one of the two files, the other stands beside it. Documents are those of the index, their
// sequences joined. Any integer dtype; ids are checked as in JSON lines, with lengths_only not.
Status read_megatron(const std::string& path, const ReadOptions& options, CorpusData& corpus,
                     const ReadProgress& progress);

}  // namespace packscope::native
