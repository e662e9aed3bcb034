// SPDX-License-Identifier: MIT
// From documents to pieces: empty and duplicate documents are skipped, long ones treated by
// long_documents, separators added, and all of it counted in the ledger.
#pragma once

#include <cstdint>

#include "algorithms/algorithm.hpp"
#include "packscope/result.hpp"
#include "window_rules.hpp"

namespace packscope {

// "`who` has 5000 tokens, more than ..."
Error document_too_long(const WindowRules& rules, const Options& options, std::string_view who,
                        std::uint32_t n);

// long_documents=error: an error for the first long document that is not dropped as a duplicate.
Status refuse_long_documents(const DocumentSet& documents, const Options& options);

// Counts what becomes of a document of n tokens and says whether it is planned; `layout` receives the tokens
// kept.
inline bool take_in(const WindowRules& rules, Ledger& row, std::uint32_t n, bool duplicate,
                    DocumentLayout& layout) {
  if (n == 0) {
    ++row.empty_documents;
    return false;
  }
  if (duplicate) {
    ++row.duplicate_documents;
    row.tokens_dropped += n;
    return false;
  }
  layout = rules.layout(n);
  row.tokens_dropped += n - layout.kept();
  if (layout.kept() == 0) {
    ++row.dropped_documents;
    return false;
  }
  if (layout.kept() < n) ++row.truncated_documents;
  row.separators_added += rules.added();
  return true;
}

// The same for one document of a set, with a step in the trace if it is left out.
inline bool take_in(Run& run, const DocumentSet& documents, std::uint32_t index, DocumentLayout& layout) {
  const std::uint32_t n = documents.lengths[index];
  const bool duplicate = documents.duplicate(index);
  const bool planned = take_in(run.rules, run.ledger[documents.source(index)], n, duplicate, layout);
  if (planned || run.trace == nullptr) return planned;
  const std::uint32_t document = documents.first_document + index;
  n == 0 || duplicate ? run.trace->skip(document, n) : run.trace->drop(document, n);
  return false;
}

// Visits documents [first, last) in order, each as index and tokens: ordinary(index, n) if it is planned as
// it is, in one piece, else unusual(index, n).
template <class Ordinary, class Unusual>
void visit_documents(const WindowRules& rules, const DocumentSet& documents, std::size_t first,
                     std::size_t last, Ordinary ordinary, Unusual unusual) {
  const std::uint32_t longest = rules.longest_whole_document();
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t index = documents.index(i);
    const std::uint32_t n = documents.lengths[index];
    const bool whole = n - 1 < longest;  // not for n = 0
    whole && !documents.duplicate(index) ? ordinary(index, n) : unusual(index, n);
  }
}

// What is kept of a document of n tokens.
inline WholeDocument whole_document(const WindowRules& rules, std::uint32_t document,
                                    const DocumentLayout& layout, std::uint32_t n, std::uint32_t source) {
  const auto length = static_cast<std::uint32_t>(rules.whole_length(layout.kept()));
  return {{document, layout.first_token, length}, source, layout.kept() < n};
}

// A document's pieces: `full` ones of a window's length, then one of `last` tokens.
struct PieceLengths {
  std::uint64_t full;
  std::uint32_t last;
};
inline PieceLengths piece_lengths(const WindowRules& rules, std::uint64_t whole_length) {
  if (whole_length <= rules.window) return {0, static_cast<std::uint32_t>(whole_length)};
  const std::uint64_t full = (whole_length - 1) / rules.window;
  return {full, static_cast<std::uint32_t>(whole_length - full * rules.window)};
}

// Calls visit(Piece) for each piece of a planned document, in order: pieces of a window's length, the rest
// last.
template <class Visit>
void visit_planned_pieces(Run& run, std::uint32_t document, const DocumentLayout& layout,
                          std::uint32_t source, Visit visit) {
  const WindowRules& rules = run.rules;
  const std::uint64_t whole_length = rules.whole_length(layout.kept());
  const PieceLengths pieces = piece_lengths(rules, whole_length);
  std::uint32_t offset = layout.first_token;
  for (std::uint64_t i = 0; i < pieces.full; ++i, offset += rules.window) {
    visit(Piece{{document, offset, rules.window}, rules.capacity, source});
  }
  if (pieces.full > 0) ++run.ledger[source].split_documents;
  visit(Piece{{document, offset, pieces.last}, rules.planned_positions(pieces.last), source});
}

}  // namespace packscope
