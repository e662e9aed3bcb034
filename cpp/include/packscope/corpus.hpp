// SPDX-License-Identifier: MIT
// What goes in: documents as lengths (enough to plan) or as tokens with what belongs to them.
// All views; the caller owns the memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packscope/options.hpp"
#include "packscope/result.hpp"
#include "packscope/token_view.hpp"

namespace packscope {

inline constexpr std::uint64_t kMaxDocuments = UINT32_MAX - 1;
// Tokens; leaves room for BOS and a separator in 32-bit offsets.
inline constexpr std::uint32_t kMaxDocumentLength = UINT32_MAX - 15;

// What planning needs to know. D documents, at most kMaxDocuments.
struct Documents {
  std::span<const std::uint32_t> lengths;     // [D] tokens, separators not counted
  std::span<const std::uint32_t> sources;     // [D] index into source_names; empty: one source
  std::span<const std::string> source_names;  // empty: one unnamed source
  std::span<const std::uint8_t> duplicates;   // [D] 1 = repeats an earlier document; read with
                                              // drop_duplicates; empty: none known
};

enum class DType : std::uint8_t { uint8, int32, int64, float64 };
std::size_t dtype_size(DType dtype);  // bytes

// A per-token field that travels with the tokens, such as a reward or a token type.
struct FieldView {
  std::string_view name;
  DType dtype = DType::int32;
  std::span<const std::byte> values;  // [T] elements of dtype
};

// Tokens and what belongs to them. D documents, T tokens.
struct Corpus {
  TokenView tokens;                                 // [T] int32 or uint8; empty when only lengths are known
  std::span<const std::uint64_t> document_offsets;  // [D+1], from 0 to T
  std::span<const std::uint8_t> loss_mask;          // [T] 1 = this token is a target; empty: all are
  std::span<const std::uint32_t> prompt_lengths;    // [D] leading tokens that are no targets; empty: 0
  std::span<const FieldView> fields;
  std::span<const std::uint32_t> sources;  // [D], as in Documents
  std::span<const std::string> source_names;

  [[nodiscard]] std::uint64_t document_count() const {
    return document_offsets.empty() ? 0 : document_offsets.size() - 1;
  }
  [[nodiscard]] bool has_tokens() const { return !tokens.empty(); }
};

// Sizes agree, offsets ascend, no document has 2^32 tokens or more, ids are >= 0 and below
// vocab_size, masks are 0 or 1, prompts fit their documents, sources exist.
Status check_corpus(const Corpus& corpus, const Options& options);

// [D] lengths from document_offsets. The corpus must have passed check_corpus.
std::vector<std::uint32_t> document_lengths(const Corpus& corpus);

// [D] 1 where a non-empty document has exactly the tokens of an earlier one. Compared by hash, then
// token by token, so never a false positive.
std::vector<std::uint8_t> find_duplicates(const Corpus& corpus);

}  // namespace packscope
