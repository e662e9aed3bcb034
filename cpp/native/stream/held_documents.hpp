// SPDX-License-Identifier: MIT
// The documents of a stream that stand in no closed window yet: as many as the open windows hold, and those
// just read.
#pragma once

#include <cstdint>
#include <vector>

#include "input/corpus_data.hpp"
#include "packscope/batch.hpp"
#include "packscope/options.hpp"
#include "packscope/plan.hpp"

namespace packscope::native {

// The tokens of some windows, one copy for each of their segments.
struct WindowTokens {
  bool known = false;  // false: lengths alone
  TokenStore tokens;
  Buffer<std::uint8_t> loss_mask;             // empty: none given
  std::vector<std::uint32_t> prompt_lengths;  // empty: none given
  std::vector<std::uint64_t> document_offsets;
  std::vector<std::uint32_t> document_lengths;

  [[nodiscard]] CorpusExcerpt view() const;
};

class HeldDocuments {
 public:
  explicit HeldDocuments(const Options& options) : options_(options) {}

  // The documents of `read`; of those that the options do not plan, nothing but the number. The first has the
  // number `first_document`.
  void add(const CorpusData& read, std::uint32_t first_document);

  // Source of a held document; 0 where none are known.
  [[nodiscard]] std::uint32_t source(std::uint32_t document) const;

  // Copies what the windows need, and lets go of documents that end there. Every window is to be asked for
  // once, in order.
  void move_to(WindowTokens& to, const WindowList& windows);

  // Call between two calls of add(). `flushed`: documents before it are in a flush that is over, and needless
  // whether they stand in a window or not.
  void compact(std::uint32_t flushed);

 private:
  struct Document {
    std::uint32_t number = 0;
    std::uint32_t length = 0;  // in tokens_
    std::uint32_t end = 0;     // of its last segment, as Segment counts offsets; 0: no longer needed
    std::uint32_t prompt_length = 0;
    std::uint32_t source = 0;
    std::uint64_t begin = 0;  // of its tokens
  };
  [[nodiscard]] std::size_t index_of(std::uint32_t document) const;
  void let_go(Document& document);

  const Options& options_;
  bool tokens_known_ = false;
  std::vector<Document> documents_;  // ascending by number
  TokenStore tokens_;                // empty where only lengths are known, as are the next
  Buffer<std::uint8_t> loss_mask_;
  bool has_prompts_ = false;
  std::size_t needless_ = 0;  // documents
  std::uint64_t needless_tokens_ = 0;
};

}  // namespace packscope::native
