// SPDX-License-Identifier: MIT
// What the options mean for one document: which tokens are kept, what is added to them, and how many
// positions of a window a piece takes. Planning, materializing and validating all ask here.
#pragma once

#include <cstdint>

#include "packscope/corpus.hpp"
#include "packscope/options.hpp"

namespace packscope {

// The tokens of one document that are planned, [first_token, end_token), in a lengthened document
// where token i stands at offset i + bos, BOS at first_token and the separator at end_token + bos.
struct DocumentLayout {
  std::uint32_t first_token = 0;
  std::uint32_t end_token = 0;

  [[nodiscard]] std::uint32_t kept() const { return end_token - first_token; }
};

struct WindowRules {
  explicit WindowRules(const Options& options);

  std::uint32_t window;     // tokens a stored window holds
  std::uint32_t capacity;   // positions the planner fills: one more with separator=between, except for wrap
  std::uint32_t multiple;   // document_multiple
  std::uint32_t bos;        // 1 when every document starts with BOS
  std::uint32_t separator;  // 1 when a separator follows documents, in either mode
  bool between;             // separator=between: a window's last separator is not written
  LongDocuments long_documents;

  // BOS and separator=after: what every document gets longer by before anything looks at it.
  [[nodiscard]] std::uint32_t added() const { return bos + (between ? 0 : separator); }

  // Tokens a document of n > 0 tokens must fit in a window.
  [[nodiscard]] std::uint64_t whole_length(std::uint32_t n) const { return std::uint64_t{n} + added(); }
  [[nodiscard]] bool is_long(std::uint32_t n) const { return whole_length(n) > window; }

  // The most tokens a document that is not long has; 0 where BOS and separator leave room for none.
  [[nodiscard]] std::uint32_t longest_whole_document() const {
    return window > added() ? window - added() : 0;
  }

  // Which tokens of a document of n > 0 tokens are planned. Nothing for a dropped one.
  [[nodiscard]] DocumentLayout layout(std::uint32_t n) const {
    return is_long(n) ? long_layout(n) : DocumentLayout{0, n};
  }

  [[nodiscard]] DocumentLayout long_layout(std::uint32_t n) const;

  // Positions a segment of `length` tokens takes (the gap of document_multiple included).
  [[nodiscard]] std::uint32_t positions(std::uint32_t length) const {
    return multiple == 1 ? length : (length + multiple - 1) / multiple * multiple;
  }

  // The same with the separator=between that may follow.
  [[nodiscard]] std::uint32_t planned_positions(std::uint32_t length) const {
    return positions(length) + (between ? 1 : 0);
  }
};

}  // namespace packscope
