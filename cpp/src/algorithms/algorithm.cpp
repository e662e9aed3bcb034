// SPDX-License-Identifier: MIT
#include "algorithms/algorithm.hpp"

namespace packscope {

void emit_window(Run& run, std::span<const Piece> pieces) {
  Buffer<Segment>& segments = run.out.segments;
  const std::size_t first = segments.size();
  segments.resize(first + pieces.size());
  const std::span<Segment> window = std::span(segments).subspan(first);
  for (std::size_t i = 0; i < pieces.size(); ++i) window[i] = pieces[i].segment;
  run.out.window_offsets.push_back(segments.size());
  if (!run.rules.between) return;
  write_separators(
      run.ledger, window, [&](std::size_t i) { return pieces[i].ends_between; },
      [&](std::size_t i) { return pieces[i].source; });
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
