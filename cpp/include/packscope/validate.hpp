// SPDX-License-Identifier: MIT
// Checks that a plan keeps every promise, whoever made it.
#pragma once

#include "packscope/corpus.hpp"
#include "packscope/plan.hpp"

namespace packscope {

// The first violated invariant as an `invalid_plan` error that names window, document and numbers:
// offsets ascend; no window overflows or exceeds max_documents_per_window; every token stands in at most
// one window and those that stand in none are in the ledger; separators are counted; windows are
// homogeneous; filler windows come last.
Status validate(const Plan& plan, const Documents& documents);

}  // namespace packscope
