// SPDX-License-Identifier: MIT
#include "algorithms/algorithm.hpp"

namespace packscope {

void emit_window(Run& run, std::span<const Piece> pieces) {
  Buffer<Segment>& segments = run.out.segments;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Segment segment = pieces[i].segment;
    if (pieces[i].ends_between && i + 1 < pieces.size()) {
      ++segment.length;
      ++run.ledger[pieces[i].source].separators_added;
    }
    segments.push_back(segment);
  }
  run.out.window_offsets.push_back(segments.size());
}

std::unique_ptr<StreamingAlgorithm> make_streaming(Algorithm algorithm, Run& run) {
  switch (algorithm) {
    case Algorithm::pad:
      return make_pad(run);
    case Algorithm::wrap:
      return make_wrap(run);
    case Algorithm::next_fit:
      return make_next_fit(run);
    case Algorithm::first_fit:
      return make_first_fit(run);
    case Algorithm::best_fit:
      return make_best_fit(run);
    case Algorithm::worst_fit:
      return make_worst_fit(run);
    case Algorithm::best_fit_wrap:
      return make_best_fit_wrap(run);
    case Algorithm::first_fit_decreasing:
    case Algorithm::best_fit_decreasing:
    case Algorithm::first_fit_shuffle:
      return nullptr;
  }
  return nullptr;
}

}  // namespace packscope
