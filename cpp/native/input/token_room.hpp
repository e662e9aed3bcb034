// SPDX-License-Identifier: MIT
// Room for the tokens of a file ahead of need, so that growing copies little and touches few pages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "input/token_store.hpp"

namespace packscope::native {

// Makes room for `more` tokens. Where it must grow, it takes what the whole file will need if its rest is
// like its `share` that gave `file_tokens`; a share of 0 is unknown. Room beyond `most_bytes` is not taken
// ahead.
void make_room(TokenStore& tokens, std::size_t more, std::uint64_t file_tokens, double share,
               std::uint64_t most_bytes);

}  // namespace packscope::native
