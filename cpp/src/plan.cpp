// SPDX-License-Identifier: MIT
#include "packscope/plan.hpp"

#include "packscope/ledger_counts.hpp"

namespace packscope {

Ledger& Ledger::operator+=(const Ledger& other) {
  for (const auto& [name, count] : kLedgerCounts) this->*count += other.*count;
  return *this;
}

std::uint32_t stored_window_length(const Options& options) {
  return options.context_length + (options.extra_token ? 1 : 0);
}

}  // namespace packscope
