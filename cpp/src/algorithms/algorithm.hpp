// SPDX-License-Identifier: MIT
// What an algorithm sees: pieces of documents in, whole windows out, ledger rows to count in.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "packscope/options.hpp"
#include "packscope/plan.hpp"
#include "packscope/random.hpp"
#include "window_rules.hpp"

namespace packscope {

// A document, or the piece of it that long_documents=split made, on its way into a window.
struct Piece {
  Segment segment;          // with its separator, unless ends_between
  std::uint32_t positions;  // what it takes of WindowRules::capacity
  std::uint32_t source;
  bool ends_between;       // separator=between: one more token follows unless it ends its window
  bool truncated = false;  // counted as truncated already
  bool split = false;      // counted as split already
};

// Documents to plan, in some order.
struct DocumentSet {
  std::span<const std::uint32_t> lengths;
  std::span<const std::uint32_t> sources;    // empty: all 0
  std::span<const std::uint8_t> duplicates;  // empty: none are dropped
  std::span<const std::uint32_t> order;      // indices into lengths; empty: all, in order
  std::uint32_t first_document = 0;          // the document number of lengths[0]

  [[nodiscard]] std::size_t size() const { return order.empty() ? lengths.size() : order.size(); }
  [[nodiscard]] std::uint32_t index(std::size_t i) const {
    return order.empty() ? static_cast<std::uint32_t>(i) : order[i];
  }
  [[nodiscard]] std::uint32_t source(std::uint32_t index) const {
    return sources.empty() ? 0 : sources[index];
  }
  [[nodiscard]] bool duplicate(std::uint32_t index) const {
    return !duplicates.empty() && duplicates[index] != 0;
  }
};

// What all algorithms of one run share.
struct Run {
  const Options& options;
  const WindowRules rules;
  std::vector<Ledger>& ledger;  // one row for each source
  WindowList& out;
  Random& random;
};

// Appends one window. Its last separator is left out where separator=between says so.
void emit_window(Run& run, std::span<const Piece> pieces);

// separator=between: every document but the window's last is followed by one. `ends(i)` says whether segment
// i ends its document, `source(i)` where to count.
template <class Ends, class Source>
void write_separators(std::vector<Ledger>& ledger, std::span<Segment> window, Ends ends, Source source) {
  for (std::size_t i = 0; i + 1 < window.size(); ++i) {
    if (!ends(i)) continue;
    ++window[i].length;
    ++ledger[source(i)].separators_added;
  }
}

// Whether a window closes: too little room, or as many documents as allowed.
inline bool closes(const Run& run, std::uint32_t room, std::size_t document_count) {
  return room < run.options.min_room || document_count >= run.options.max_documents_per_window;
}

class StreamingAlgorithm {
 public:
  virtual ~StreamingAlgorithm() = default;
  // Takes in documents [first, last) of a checked set.
  virtual void push(const DocumentSet& documents, std::size_t first, std::size_t last) = 0;
  // Empties every open window, oldest first. Pushing may go on afterwards.
  virtual void flush() = 0;
};

// A streaming algorithm for one group.
std::unique_ptr<StreamingAlgorithm> make_streaming(Algorithm algorithm, Run& run);

// One factory for each streaming algorithm, and one function for each offline one.
std::unique_ptr<StreamingAlgorithm> make_pad(Run& run);
std::unique_ptr<StreamingAlgorithm> make_wrap(Run& run);
std::unique_ptr<StreamingAlgorithm> make_next_fit(Run& run);
std::unique_ptr<StreamingAlgorithm> make_first_fit(Run& run);
std::unique_ptr<StreamingAlgorithm> make_best_fit(Run& run);
std::unique_ptr<StreamingAlgorithm> make_worst_fit(Run& run);
std::unique_ptr<StreamingAlgorithm> make_best_fit_wrap(Run& run);
void pack_first_fit_decreasing(const DocumentSet& documents, Run& run);
void pack_best_fit_decreasing(const DocumentSet& documents, Run& run);
void pack_first_fit_shuffle(const DocumentSet& documents, Run& run);

}  // namespace packscope
