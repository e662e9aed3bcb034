// SPDX-License-Identifier: MIT
// first_fit_shuffle: documents in an order shuffled by `seed`, each to the earliest opened window with
// room for it; unlimited open windows, numbered in the order they are opened.
// O(documents * log windows). At most 1.7 times the optimum (first-fit: Johnson et al. 1974).
#include "algorithms/algorithm.hpp"
#include "index/max_tree.hpp"
#include "pieces.hpp"

namespace packscope {
namespace {

constexpr std::size_t kAhead = 16;

class FirstFitWindows {
 public:
  FirstFitWindows(Run& run, std::size_t documents) : run_(run) { placements_.reserve(documents); }

  void place(const Piece& piece) {
    std::uint32_t window = rooms_.first_at_least(piece.positions);
    if (window == MaxTree::kNone) window = open();
    const std::uint32_t room = rooms_.value(window) - piece.positions;
    const bool closed = closes(run_, room, ++document_counts_[window]);
    rooms_.set(window, closed ? 0 : room);
    placements_.push_back({piece.segment, window});
  }

  void trace() const {
    std::vector<Placed> placements;
    for (const Placement& placed : placements_) placements.push_back({placed.segment, placed.window});
    trace_placements(run_, placements);
  }

  // Windows in the order opened, each with its segments in the order placed.
  void emit(const DocumentSet& documents) {
    WindowList& out = run_.out;
    const std::size_t first_window = out.window_offsets.size() - 1;
    for (const std::uint32_t count : document_counts_) {
      out.window_offsets.push_back(out.window_offsets.back() + count);
    }
    out.segments.resize(static_cast<std::size_t>(out.window_offsets.back()));
    std::vector<std::uint64_t> next(out.window_offsets.begin() + static_cast<std::ptrdiff_t>(first_window),
                                    out.window_offsets.end() - 1);
    for (const Placement& placed : placements_) {
      out.segments[static_cast<std::size_t>(next[placed.window]++)] = placed.segment;
    }
    if (!run_.rules.between) return;
    std::size_t end = out.segments.size();
    for (std::size_t w = document_counts_.size(); w-- > 0;) {
      end -= document_counts_[w];
      add_separators(run_, documents, std::span(out.segments).subspan(end, document_counts_[w]));
    }
  }

 private:
  struct Placement {
    Segment segment;
    std::uint32_t window;
  };

  std::uint32_t open() {
    const auto window = static_cast<std::uint32_t>(document_counts_.size());
    if (window == rooms_.slots()) rooms_.grow();
    rooms_.set(window, run_.rules.capacity);
    document_counts_.push_back(0);
    return window;
  }

  Run& run_;
  MaxTree rooms_;  // by window, 0 where closed
  std::vector<std::uint32_t> document_counts_;
  std::vector<Placement> placements_;  // in the order placed
};

// Counts what becomes of every document and keeps the indices of those that are planned.
std::vector<std::uint32_t> take_in_all(const DocumentSet& documents, Run& run) {
  std::vector<std::uint32_t> planned;
  planned.reserve(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::uint32_t index = documents.index(i);
    DocumentLayout layout;
    if (take_in(run, documents, index, layout)) planned.push_back(index);
  }
  return planned;
}

}  // namespace

void pack_first_fit_shuffle(const DocumentSet& documents, Run& run) {
  std::vector<std::uint32_t> planned = take_in_all(documents, run);
  shuffle(std::span(planned), run.random);
  FirstFitWindows windows(run, planned.size());
  for (std::size_t i = 0; i < planned.size(); ++i) {
    // Shuffled, so that each is a miss of all caches; they overlap only if asked for early.
    if (i + kAhead < planned.size()) __builtin_prefetch(&documents.lengths[planned[i + kAhead]]);
    const std::uint32_t index = planned[i];
    visit_planned_pieces(run, documents.first_document + index, run.rules.layout(documents.lengths[index]),
                         documents.source(index), [&](const Piece& piece) { windows.place(piece); });
  }
  windows.emit(documents);
  if (run.trace != nullptr) windows.trace();
}

}  // namespace packscope
