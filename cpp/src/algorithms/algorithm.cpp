// SPDX-License-Identifier: MIT
#include "algorithms/algorithm.hpp"

namespace packscope {

void trace_alone(Run& run, const Segment& segment) {
  const std::uint32_t window = run.trace->open();
  run.trace->place(window, segment);
  run.trace->close(window);
}

void trace_placements(Run& run, std::span<const Placed> placements) {
  TraceRecorder& trace = *run.trace;
  std::vector<std::uint32_t> numbers;  // of the recorder, by window
  std::vector<bool> closed;
  for (const auto& [segment, window] : placements) {
    if (window == numbers.size()) {
      numbers.push_back(trace.open());
      closed.push_back(false);
    } else if (run.rules.between) {
      trace.separate(numbers[window]);
    }
    trace.place(numbers[window], segment);
    if (!trace.is_full(numbers[window])) continue;
    trace.close(numbers[window]);
    closed[window] = true;
  }
  trace.set_flushing(true);
  for (std::size_t window = 0; window < numbers.size(); ++window) {
    if (!closed[window]) trace.close(numbers[window]);
  }
  trace.set_flushing(false);
}

// A piece that does not end its document fills its window, so every one that is followed does.
void add_separators(Run& run, const DocumentSet& documents, std::span<Segment> window) {
  for (std::size_t i = 0; i + 1 < window.size(); ++i) {
    ++window[i].length;
    ++run.ledger[documents.source(window[i].document - documents.first_document)].separators_added;
  }
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
