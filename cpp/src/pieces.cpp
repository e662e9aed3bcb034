// SPDX-License-Identifier: MIT
#include "pieces.hpp"

#include "text.hpp"

namespace packscope {

Error document_too_long(const WindowRules& rules, const Options& options, std::uint64_t document,
                        std::uint32_t n) {
  const std::uint64_t added = rules.whole_length(n) - n;
  std::string message = concat("document ", document, " has ", n, " tokens", added == 0 ? "" : " and ");
  if (added > 0) message += concat(added, " added");
  message += concat(", more than the window of ", rules.window, " (context_length ", options.context_length,
                    "); set long_documents to drop, truncate, truncate_left or split, or use longer windows");
  return {ErrorCode::document_too_long, std::move(message), document};
}

}  // namespace packscope
