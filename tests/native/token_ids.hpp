// SPDX-License-Identifier: MIT
// The ids of a view as a vector that tests can compare, read one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "packscope/token_view.hpp"

namespace packscope::native {

inline std::vector<std::int32_t> ids_of(TokenView tokens) {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < tokens.size(); ++i) ids.push_back(tokens[i]);
  return ids;
}

}  // namespace packscope::native
