// SPDX-License-Identifier: MIT
// The operators of the field's guides and textbooks, by their usual names, in terms of pack() and
// materialize(). They take the defaults of Options.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "packscope/batch.hpp"
#include "packscope/corpus.hpp"
#include "packscope/pack.hpp"

namespace packscope {

// What pack_flat gives: W windows, those of the plan, of N = stored_window_length(options) tokens, padded at
// the end.
struct FlatWindows {
  Plan plan;
  std::vector<std::int32_t> tokens;     // [W, N], pad_token_id in padding
  std::vector<std::int32_t> positions;  // [W, N] 0 marks the start of a document's piece (and of the tail)
  std::vector<std::uint8_t> loss_mask;  // [W, N] aligned with tokens: 1 = this token is a target
  std::vector<BatchField> fields;       // [W, N] each, 0 in padding
  std::vector<std::int32_t> window_lengths;  // [W] tokens, padding left out
};

// Checks the corpus, packs it and writes every window out. Errors as check_corpus() and pack().
Result<FlatWindows> pack_flat(const Corpus& corpus, const Options& options);

// Inputs and labels for training: L = N - 1 tokens a window with L labels, one to the right, and every
// other array of a Batch cut to L (loss_mask aligned with the labels). Needs nothing but `flat`:
// boundaries come from the plan, padding is masked by position. The same batch as materialize() gives
// with extra_token and context_length L. Errors: N below 2, a document_multiple above 1 (L is no
// multiple of it), more cu_seqlens entries than cu_seqlens_width.
Result<Batch> to_training(const FlatWindows& flat);

// The textbook's concatenate-and-chop, with doc_ids: windows of context_length, the last one padded.
struct PackedExamples {
  std::uint32_t context_length = 0;
  std::vector<std::int32_t> input_ids;  // [W, context_length]
  std::vector<std::int32_t> doc_ids;    // [W, context_length], -1 in padding
};
Result<PackedExamples> pack_examples(std::span<const std::vector<std::int32_t>> examples,
                                     std::uint32_t context_length, std::int32_t pad_token);

// Groups of the caller's own records, one group a window. `length(record)` gives its tokens;
// `slice(record, offset, length)` gives a piece of it and is called only where the plan cuts: never
// for an algorithm that keeps documents whole unless long_documents=split or truncate says so.
// A whole record is copied untouched. Filler windows are empty groups. Errors as pack(); separator_id
// and bos_id are refused, since a record cannot carry them, and drop_duplicates, since records are not
// compared.
template <class Record, class Length, class Slice>
Result<std::vector<std::vector<Record>>> pack_sequences(std::span<const Record> records, Length length,
                                                        Slice slice, const Options& options);

}  // namespace packscope

#include "packscope/operators_impl.hpp"
