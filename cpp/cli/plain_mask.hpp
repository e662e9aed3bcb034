// SPDX-License-Identifier: MIT
// A mask as characters, for output without colours.
#pragma once

#include <string>
#include <string_view>

#include "packscope/render.hpp"

namespace packscope::cli {

// `side` characters wide and half as many lines: # where the query and key at the middle of a region attend,
// . where they do not; of blocks, # for full ones and + for partial ones.
Result<std::string> plain_mask(const PlanOutline& outline, const MaskView& view, std::uint32_t side,
                               std::string_view indent);

}  // namespace packscope::cli
