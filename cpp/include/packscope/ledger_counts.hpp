// SPDX-License-Identifier: MIT
// The counts of a Ledger by name, for what treats them all alike.
#pragma once

#include <cstdint>
#include <string_view>

#include "packscope/plan.hpp"

namespace packscope {

struct LedgerCount {
  std::string_view name;
  std::uint64_t Ledger::*count;
};

inline constexpr LedgerCount kLedgerCounts[] = {
    {"documents", &Ledger::documents},
    {"tokens", &Ledger::tokens},
    {"empty_documents", &Ledger::empty_documents},
    {"dropped_documents", &Ledger::dropped_documents},
    {"truncated_documents", &Ledger::truncated_documents},
    {"split_documents", &Ledger::split_documents},
    {"duplicate_documents", &Ledger::duplicate_documents},
    {"tokens_dropped", &Ledger::tokens_dropped},
    {"separators_added", &Ledger::separators_added},
    {"filler_windows", &Ledger::filler_windows},
};

}  // namespace packscope
