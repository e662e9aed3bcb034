// SPDX-License-Identifier: MIT
// The arrays a trainer loads, made from a plan and the tokens for any range of windows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "packscope/corpus.hpp"
#include "packscope/plan.hpp"

namespace packscope {

inline constexpr std::int32_t kIgnoredLabel = -100;

// Windows [first, last).
struct WindowRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  [[nodiscard]] std::uint64_t size() const { return last - first; }
};

// Which arrays to make. Those the input cannot give (input_ids and labels without tokens) stay empty.
struct BatchFields {
  bool input_ids = true;
  bool labels = true;
  bool position_ids = true;
  bool doc_ids = true;
  bool segment_ids = true;
  bool loss_mask = true;
  bool cu_seqlens = true;  // with its offsets, padded twin and max_seqlen
  bool fields = true;      // the corpus's own per-token fields
};

// A per-token field packed like the tokens: [windows, context_length] of dtype, 0 in padding.
struct BatchField {
  std::string name;
  DType dtype = DType::int32;
  std::vector<std::byte> values;
};

// Row-major [windows, context_length] unless said otherwise. Padding: pad_token_id, label -100,
// doc_id -1, segment_id 0, loss 0. An array not asked for is empty.
struct Batch {
  WindowRange windows;
  std::uint32_t context_length = 0;

  std::vector<std::int32_t> input_ids;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> position_ids;
  std::vector<std::int32_t> doc_ids;       // empty when doc_ids_wide is used
  std::vector<std::int64_t> doc_ids_wide;  // instead of doc_ids when the plan has an id past 2^31 - 1
  std::vector<std::int32_t> segment_ids;
  std::vector<std::uint8_t> loss_mask;
  std::vector<BatchField> fields;

  std::vector<std::int32_t> window_lengths;  // [windows] real tokens among the context_length positions
  std::vector<std::int32_t> max_seqlen;      // [windows] longest segment of cu_seqlens, tail included
  std::vector<std::uint8_t> filler;          // [windows] 1 = added by window_multiple

  // Concatenated: window w has [cu_seqlens_offsets[w], cu_seqlens_offsets[w+1]). With
  // cu_seqlens_width every window has that many entries, the total repeated, and
  // cu_seqlens_count says how many are its own.
  std::vector<std::int32_t> cu_seqlens;
  std::vector<std::int32_t> cu_seqlens_padded;    // memory offsets; only with document_multiple > 1
  std::vector<std::uint64_t> cu_seqlens_offsets;  // [windows+1]
  std::vector<std::int32_t> cu_seqlens_count;     // [windows]; only with cu_seqlens_width
};

// Makes the arrays of `range`. Pure and restartable: any split into ranges gives the same bytes.
// The corpus must have passed check_corpus and be the one the plan was made of. Errors: a range
// outside the plan, a corpus that does not match it, more cu_seqlens entries than cu_seqlens_width.
Result<Batch> materialize(const Plan& plan, const Corpus& corpus, WindowRange range,
                          const BatchFields& fields = {});

// The same into `batch`, whose memory is reused. After an error its content is unspecified.
Status materialize_into(Batch& batch, const Plan& plan, const Corpus& corpus, WindowRange range,
                        const BatchFields& fields = {});

// Of `fields`, what follows from the plan alone: doc_ids, segment_ids and cu_seqlens.
Result<Batch> materialize(const Plan& plan, WindowRange range, const BatchFields& fields = {});

// What some windows need of a corpus that lies elsewhere, such as outside WebAssembly's memory. S segments:
// those of the windows, in order.
struct CorpusExcerpt {
  // As of a corpus whose documents are the segments: document_offsets [S+1] and prompt_lengths [S]. Entry s
  // holds its document's tokens from token max(0, document_offset - 1 where bos_id is set) on, at least as
  // many as the segment has of them; prompt_lengths count from the document's token 0 as ever. No sources.
  Corpus segments;
  std::span<const std::uint32_t> document_lengths;  // [S] tokens of the whole document
};

// The same arrays as of the whole corpus, except that input_ids and labels without tokens are an error.
Result<Batch> materialize(const Plan& plan, const CorpusExcerpt& excerpt, WindowRange range,
                          const BatchFields& fields = {});
Status materialize_into(Batch& batch, const Plan& plan, const CorpusExcerpt& excerpt, WindowRange range,
                        const BatchFields& fields = {});

}  // namespace packscope
