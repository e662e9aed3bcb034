// SPDX-License-Identifier: MIT
#include "pieces.hpp"

#include <algorithm>

#include "text.hpp"

namespace packscope {

Error document_too_long(const WindowRules& rules, const Options& options, std::string_view who,
                        std::uint32_t n) {
  const std::uint64_t added = rules.whole_length(n) - n;
  const std::string with_added = added == 0 ? "" : concat(" and ", added, " added");
  return {ErrorCode::document_too_long,
          concat(who, " has ", n, " tokens", with_added, ", more than the window of ", rules.window,
                 " (context_length ", options.context_length,
                 "); set long_documents to drop, truncate, truncate_left or split, or use longer windows")};
}

Status refuse_long_documents(const DocumentSet& documents, const Options& options) {
  const WindowRules rules(options);
  if (rules.long_documents != LongDocuments::error) return {};
  std::uint32_t first = UINT32_MAX;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::uint32_t index = documents.index(i);
    const std::uint32_t n = documents.lengths[index];
    if (n > 0 && rules.is_long(n) && !documents.duplicate(index)) first = std::min(first, index);
  }
  if (first == UINT32_MAX) return {};
  const std::uint32_t document = documents.first_document + first;
  Error error = document_too_long(rules, options, concat("document ", document), documents.lengths[first]);
  error.document = document;
  return error;
}

}  // namespace packscope
