// SPDX-License-Identifier: MIT
// Documents known by their lengths alone: numbers in text, or a histogram of them.
#pragma once

#include "input/corpus_data.hpp"
#include "input/read_options.hpp"

namespace packscope::native {

// A document's offsets fit 32 bits with a little to spare for separators.
inline constexpr std::uint64_t kMaxLength = UINT32_MAX - 15;
inline constexpr std::uint64_t kMaxDocuments = UINT32_MAX;

// One length a line; blank lines are skipped and counted, what follows # is a comment.
Status read_lengths(ByteSource source, const ReadOptions& options, CorpusData& corpus,
                    const ReadProgress& progress);

// `length<TAB>count` a line; blank lines are skipped and counted, what follows # is a comment.
Status read_histogram(ByteSource source, CorpusData& corpus, const ReadProgress& progress);

// Makes documents of the histogram, in its order, so that they can be packed one by one. Refuses more
// than kMaxDocuments.
Status expand_histogram(const ReadOptions& options, CorpusData& corpus);

}  // namespace packscope::native
