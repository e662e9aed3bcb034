// SPDX-License-Identifier: MIT
// The slow, obvious planner that the real one is compared with: one plain loop for each algorithm,
// written from the rules and sharing no code with the core but its public types and its generator.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "packscope/corpus.hpp"
#include "packscope/options.hpp"
#include "packscope/plan.hpp"

namespace packscope_oracle {

struct OraclePlan {
  std::vector<std::vector<packscope::Segment>> windows;
  packscope::Ledger ledger;
  std::vector<packscope::Ledger> ledger_by_source;
  std::optional<std::uint32_t> refused_document;  // set when long_documents=error ends the run
};

// `options` must pass check_options and every source must have a group.
OraclePlan plan(const packscope::Documents& documents, const packscope::Options& options);

}  // namespace packscope_oracle
