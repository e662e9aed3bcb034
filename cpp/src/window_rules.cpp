// SPDX-License-Identifier: MIT
#include "window_rules.hpp"

#include "packscope/plan.hpp"

namespace packscope {

WindowRules::WindowRules(const Options& options)
    : window(stored_window_length(options)),
      capacity(window),
      multiple(options.document_multiple),
      bos(options.bos_id ? 1 : 0),
      separator(options.separator_id ? 1 : 0),
      between(options.separator_id && options.separator == Separator::between),
      long_documents(long_documents_rule(options)) {
  if (between && options.algorithm != Algorithm::wrap) ++capacity;
}

DocumentLayout WindowRules::long_layout(std::uint32_t n) const {
  if (long_documents == LongDocuments::split) return {0, n};
  const std::uint32_t kept = window - added();
  switch (long_documents) {
    case LongDocuments::truncate:
      return {0, kept};
    case LongDocuments::truncate_left:
      return {n - kept, n};
    default:
      return {0, 0};
  }
}

}  // namespace packscope
