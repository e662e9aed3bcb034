// SPDX-License-Identifier: MIT
// The errors of the core, from the parts of their messages.
#pragma once

#include "packscope/concat.hpp"
#include "packscope/result.hpp"

namespace packscope {

template <class... Parts>
Error invalid_option(const Parts&... parts) {
  return {ErrorCode::invalid_option, concat(parts...)};
}

template <class... Parts>
Error invalid_argument(const Parts&... parts) {
  return {ErrorCode::invalid_argument, concat(parts...)};
}

}  // namespace packscope
