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

// What pack_flat gives: W windows of N = stored_window_length(options) tokens, padded at the end.
struct FlatWindows {
  Plan plan;
  std::vector<std::int32_t> tokens;     // [W, N], pad_token_id in padding
  std::vector<std::int32_t> positions;  // [W, N] 0 marks the start of a document's piece (and of the tail)
  std::vector<std::uint8_t> loss_mask;  // [W, N] aligned with tokens: 1 = this token is a target
  std::vector<BatchField> fields;       // [W, N] each, 0 in padding
  std::vector<std::int32_t> window_lengths;  // [W] tokens before the padding
};
Result<FlatWindows> pack_flat(const Corpus& corpus, const Options& options);

// What to_training gives: W windows of L = N - 1 inputs with L labels, one to the right.
struct TrainingBatch {
  std::uint32_t context_length = 0;        // L
  std::vector<std::int32_t> input_ids;     // [W, L]
  std::vector<std::int32_t> labels;        // [W, L], -100 where no loss is taken
  std::vector<std::int32_t> position_ids;  // [W, L]
  std::vector<std::uint8_t> loss_mask;     // [W, L] 1 exactly where labels != -100
  std::vector<std::int32_t> cu_seqlens;    // concatenated, each window from 0 to L, the tail its own entry
  std::vector<std::uint64_t> cu_seqlens_offsets;  // [W+1]
};
// Needs nothing but `flat`: boundaries come from the plan, padding is masked by position.
Result<TrainingBatch> to_training(const FlatWindows& flat);

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
// A whole record is copied untouched. Errors as pack(); separators and bos_id are refused, since a
// record cannot carry them.
template <class Record, class Length, class Slice>
Result<std::vector<std::vector<Record>>> pack_sequences(std::span<const Record> records, Length length,
                                                        Slice slice, const Options& options);

}  // namespace packscope

#include "packscope/operators_impl.hpp"
