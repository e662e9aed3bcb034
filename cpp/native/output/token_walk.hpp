// SPDX-License-Identifier: MIT
// The independent proof behind verify: walks every position of every window with nothing but the
// options' meaning, and never asks the code that made the arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "packscope/corpus.hpp"
#include "packscope/plan.hpp"

namespace packscope::native {

class TokenWalk {
 public:
  // Both must outlive the walk. The corpus has tokens and passed check_corpus.
  TokenWalk(const Plan& plan, const Corpus& corpus);

  // One window's row of the arrays: each position holds the token that its segment says, or padding.
  // `labels` is the row of labels, where extra_token's last token stands.
  Status check_window(std::uint64_t window, std::span<const std::int32_t> input_ids,
                      std::span<const std::int32_t> labels, std::span<const std::int64_t> doc_ids);

  // After the last window: what was not seen is what the ledger says was dropped.
  Status finish() const;

 private:
  // The tokens of a document that may stand in windows: [begin, end).
  struct Kept {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  [[nodiscard]] Kept kept(std::uint32_t document) const;
  Result<std::int32_t> expected_token(const Segment& segment, std::uint64_t virtual_offset);
  Status check_padding(std::uint64_t window, std::uint64_t begin, std::uint64_t end,
                       std::span<const std::int32_t> input_ids, std::span<const std::int64_t> doc_ids) const;

  const Plan& plan_;
  const Corpus& corpus_;
  std::uint64_t context_length_;
  std::uint64_t stored_length_;
  std::uint64_t multiple_;
  std::uint64_t bos_;
  std::uint64_t separator_after_;
  std::vector<bool> seen_;  // by token of the corpus
  std::uint64_t seen_count_ = 0;
  std::uint64_t added_count_ = 0;  // separators and BOS
};

}  // namespace packscope::native
