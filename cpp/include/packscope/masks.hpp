// SPDX-License-Identifier: MIT
// Attention masks of packed windows. The truth is attends(); every other form is checked against it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "packscope/plan.hpp"

namespace packscope {

enum class Mask : std::uint8_t { causal, bidirectional };
enum class PaddingQueries : std::uint8_t { self, masked };

struct MaskOptions {
  Mask mask = Mask::causal;
  bool document_mask = true;  // false: documents of a window see each other (the leak)
  // Counts the token itself: 0 <= q - k < sliding_window.
  std::optional<std::uint32_t> sliding_window = std::nullopt;
  // [D] prefix-LM: these first tokens of a document see each other both ways.
  std::span<const std::uint32_t> prefix_lengths = {};
  PaddingQueries padding_queries = PaddingQueries::self;  // what a query on padding sees: itself, or nothing
};

// Keys [begin, end) that a query may attend to.
struct KeyInterval {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Whether query position q may attend to key position k in `window`. Both below context_length. A
// document without an entry in prefix_lengths has no prefix; the other forms refuse that.
bool attends(const Plan& plan, std::uint64_t window, std::uint32_t q, std::uint32_t k,
             const MaskOptions& options = {});

// Refused above this many cells: ask for intervals or cu_seqlens instead.
inline constexpr std::uint64_t kMaxDenseMaskCells = std::uint64_t{1} << 30;

// [context_length, context_length] row-major, 1 = query (row) may attend to key (column). Errors: no
// such window, a plan that overflows it, prefix_lengths without an entry for one of its documents, a
// sliding_window of 0, too many cells.
Result<std::vector<std::uint8_t>> boolean_mask(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options = {});

// The same as 0 where allowed and -inf where not.
Result<std::vector<float>> additive_mask(const Plan& plan, std::uint64_t window,
                                         const MaskOptions& options = {});

// [context_length] the same as the keys of each query, [0, 0) where there is none: the form for long
// windows. Refused where a query's keys are no single interval: without document_mask in windows with
// the gaps of document_multiple.
Result<std::vector<KeyInterval>> key_intervals(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options = {});

// The textbook rule, on doc_ids [n] with -1 for padding: 0 where k <= q, same document and q not
// padding, else -inf; a padding row is all -inf. [n, n].
Result<std::vector<float>> build_intra_document_mask(std::span<const std::int32_t> doc_ids);

}  // namespace packscope
