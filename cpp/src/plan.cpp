// SPDX-License-Identifier: MIT
#include "packscope/plan.hpp"

namespace packscope {

Ledger& Ledger::operator+=(const Ledger& other) {
  documents += other.documents;
  tokens += other.tokens;
  empty_documents += other.empty_documents;
  dropped_documents += other.dropped_documents;
  truncated_documents += other.truncated_documents;
  split_documents += other.split_documents;
  duplicate_documents += other.duplicate_documents;
  tokens_dropped += other.tokens_dropped;
  separators_added += other.separators_added;
  filler_windows += other.filler_windows;
  return *this;
}

std::uint32_t stored_window_length(const Options& options) {
  return options.context_length + (options.extra_token ? 1 : 0);
}

}  // namespace packscope
