// SPDX-License-Identifier: MIT
// first_fit_shuffle: documents in an order shuffled by `seed`, each to the earliest opened window with
// room for it; unlimited open windows, numbered in the order they are opened.
// O(documents * log windows). At most 1.7 times the optimum (first-fit: Johnson et al. 1974).
#include <numeric>

#include "algorithms/algorithm.hpp"
#include "index/max_tree.hpp"
#include "pieces.hpp"

namespace packscope {
namespace {

class FirstFitWindows {
 public:
  explicit FirstFitWindows(Run& run) : run_(run) {}

  void place(const Piece& piece) {
    std::uint32_t window = rooms_.first_at_least(piece.positions);
    if (window == MaxTree::kNone) window = open();
    const std::uint32_t room = rooms_.value(window) - piece.positions;
    const bool closed = closes(run_, room, ++document_counts_[window]);
    rooms_.set(window, closed ? 0 : room);
    pieces_.push_back(piece);
    window_of_.push_back(window);
  }

  // Windows in the order opened, each with its pieces in the order placed.
  void emit() {
    std::vector<std::uint64_t> next(document_counts_.size() + 1, 0);
    for (std::size_t w = 0; w < document_counts_.size(); ++w) next[w + 1] = next[w] + document_counts_[w];
    std::vector<Piece> by_window(pieces_.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      by_window[static_cast<std::size_t>(next[window_of_[i]]++)] = pieces_[i];
    }
    std::size_t first = 0;
    for (const std::uint32_t count : document_counts_) {
      emit_window(run_, std::span(by_window).subspan(first, count));
      first += count;
    }
  }

 private:
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
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> window_of_;
};

// Counts every document and keeps the indices of those that are planned.
std::vector<std::uint32_t> take_in_all(const DocumentSet& documents, Run& run) {
  std::vector<std::uint32_t> planned;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::uint32_t index = documents.index(i);
    const std::uint32_t n = documents.lengths[index];
    DocumentLayout layout;
    if (take_in(run.rules, run.ledger[documents.source(index)], n, documents.duplicate(index), layout)) {
      planned.push_back(index);
    }
  }
  return planned;
}

}  // namespace

void pack_first_fit_shuffle(const DocumentSet& documents, Run& run) {
  std::vector<std::uint32_t> planned = take_in_all(documents, run);
  shuffle(std::span(planned), run.random);
  FirstFitWindows windows(run);
  for (const std::uint32_t index : planned) {
    visit_planned_pieces(run, documents.first_document + index, run.rules.layout(documents.lengths[index]),
                         documents.source(index), [&](const Piece& piece) { windows.place(piece); });
  }
  windows.emit();
}

}  // namespace packscope
