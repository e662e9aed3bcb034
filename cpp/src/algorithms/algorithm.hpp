// SPDX-License-Identifier: MIT
// What an algorithm sees: pieces of documents in, whole windows out, ledger rows to count in.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "packscope/executor.hpp"
#include "packscope/options.hpp"
#include "packscope/pack.hpp"
#include "packscope/plan.hpp"
#include "packscope/random.hpp"
#include "trace_recorder.hpp"
#include "window_rules.hpp"

namespace packscope {

// A document, or the piece of it that long_documents=split made, on its way into a window.
struct Piece {
  Segment segment;          // with its separator, unless separator=between
  std::uint32_t positions;  // what it takes of WindowRules::capacity
  std::uint32_t source;
};

// A document for an algorithm that cuts documents itself.
struct WholeDocument {
  Segment segment;  // all of it, with its separator, unless separator=between
  std::uint32_t source;
  bool truncated;  // counted as truncated already
};

// Documents to plan, in some order.
struct DocumentSet {
  std::span<const std::uint32_t> lengths;
  std::span<const std::uint32_t> sources;    // empty: all 0
  std::span<const std::uint8_t> duplicates;  // empty: none are dropped
  std::span<const std::uint32_t> order;      // indices into lengths; empty: all, in order
  std::uint32_t first_document = 0;          // the document number of lengths[0]
  std::uint32_t longest = UINT32_MAX;        // none has more tokens

  [[nodiscard]] std::size_t size() const { return order.empty() ? lengths.size() : order.size(); }
  [[nodiscard]] std::uint32_t index(std::size_t i) const {
    return order.empty() ? static_cast<std::uint32_t>(i) : order[i];
  }
  [[nodiscard]] std::uint32_t source(std::uint32_t index) const {
    return sources.empty() ? 0 : sources[index];
  }
  // All of one source, in order, none a duplicate.
  [[nodiscard]] bool is_plain() const { return sources.empty() && duplicates.empty() && order.empty(); }
  [[nodiscard]] bool duplicate(std::uint32_t index) const {
    return !duplicates.empty() && duplicates[index] != 0;
  }
};

// What all algorithms of one run share. Documents and tokens in are counted before an algorithm sees them.
struct Run {
  const Options& options;
  const WindowRules rules;
  std::vector<Ledger>& ledger;  // one row for each source
  WindowList& out;              // segments after its last window belong to an open one (see TailSegments)
  Random& random;
  PackScratch& scratch;
  TraceRecorder* trace;  // nullptr: none is wanted
  Executor* executor;    // nullptr: the caller's thread alone
};

void trace_alone(Run& run, const Segment& segment);

// The windows that an offline algorithm has made, for the trace: its placements in the order it made them.
struct Placed {
  Segment segment;       // without separator=between
  std::uint64_t window;  // in the order of opening, from 0 for these documents
};
void trace_placements(Run& run, std::span<const Placed> placements);

// Appends one window.
inline void append_window(Run& run, std::span<const Segment> window) {
  Buffer<Segment>& segments = run.out.segments;
  const std::size_t first = segments.size();
  segments.resize(first + window.size());
  Segment* const out = segments.data() + first;
  for (std::size_t i = 0; i < window.size(); ++i) out[i] = window[i];
  run.out.window_offsets.push_back(segments.size());
}

// Emits a window that one segment fills, or that is to hold no other.
inline void emit_alone(Run& run, const Segment& segment) {
  run.out.segments.push_back(segment);
  run.out.window_offsets.push_back(run.out.segments.size());
  if (run.trace != nullptr) trace_alone(run, segment);
}

// separator=between for a window whose documents are all there: every one but the last is followed by one.
void add_separators(Run& run, const DocumentSet& documents, std::span<Segment> window);

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
