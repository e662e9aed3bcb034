// SPDX-License-Identifier: MIT
// The checks that everything which takes Documents begins with.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/length_totals.hpp"
#include "packscope/corpus.hpp"
#include "packscope/options.hpp"

namespace packscope {

// Sizes agree; counts, lengths and sources are within their limits; homogeneity knows every source. Errors
// number documents from `first_document`.
Status check_documents(const Documents& documents, const Options& options, std::uint64_t first_document = 0);

// The same for whoever knows the totals already.
Status check_documents(const Documents& documents, const Options& options, std::uint64_t first_document,
                       const LengthTotals& totals);

}  // namespace packscope
