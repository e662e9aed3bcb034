// SPDX-License-Identifier: MIT
#include "packscope/result.hpp"

namespace packscope {

std::string_view error_code_name(ErrorCode code) {
  constexpr std::string_view kNames[] = {
      "",
      "invalid_option",
      "invalid_argument",
      "document_too_long",
      "token_out_of_range",
      "length_mismatch",
      "unknown_source",
      "too_large",
      "invalid_plan",
      "invalid_data",
      "io_error",
      "out_of_memory",
      "internal",
      "engine_restarted",
  };
  return kNames[static_cast<std::size_t>(code)];
}

}  // namespace packscope
