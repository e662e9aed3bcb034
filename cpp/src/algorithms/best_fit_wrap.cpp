// SPDX-License-Identifier: MIT
// best_fit_wrap: windows are filled from a pool of candidates with the longest that fits; when none fits,
// the shortest is cut to fill the window, so at most one document is cut in each. Full windows of
// a long document are emitted at once. A candidate that has waited for 8 * candidate_pool
// arrivals goes first, so none waits for ever.
// O(documents) for windows of any usual length. No padding but in the last window of a flush.
// Source: Packscope; after the best_fit_wrap operator of training pipelines and best-fit packing (Ding et al.
// 2024).
#include <algorithm>

#include "algorithms/streaming.hpp"
#include "index/candidate_pool.hpp"

namespace packscope {
namespace {

constexpr std::uint64_t kPatience = 8;  // times candidate_pool arrivals

template <class Segments>
class BestFitWrap {
 public:
  static constexpr bool kPlacesBlocks = false;
  static constexpr bool kCutsDocuments = true;

  explicit BestFitWrap(Run& run) : run_(run), window_(run) {}

  // Not inlined: a step in the pool costs far more than a call.
  [[gnu::noinline]] void place(const WholeDocument& document) {
    WholeDocument rest = document;
    const bool split = emit_full_windows(rest);
    if (rest.segment.length == 0) return;
    pool_.join({rest, ++arrivals_, split});
    if (run_.trace != nullptr) run_.trace->join(rest.segment);
    while (pool_.size() >= run_.options.candidate_pool && pool_.tokens() >= run_.rules.window) build_window();
  }

  void flush() {
    while (pool_.size() > 0) build_window();
  }

 private:
  // Leaves what does not fill a window; returns whether the document was cut.
  bool emit_full_windows(WholeDocument& document) {
    Segment& rest = document.segment;
    const bool split = rest.length > run_.rules.window;
    if (split) ++run_.ledger[document.source].split_documents;
    while (rest.length >= run_.rules.window) {
      emit_alone(run_, {rest.document, rest.document_offset, run_.rules.window});
      rest.document_offset += run_.rules.window;
      rest.length -= run_.rules.window;
    }
    return split;
  }

  void build_window() {
    std::uint32_t room = run_.rules.window;  // for tokens; a separator between documents takes one more
    while (room > 0 && pool_.size() > 0 && window_.size() < run_.options.max_documents_per_window) {
      const WholeDocument placed = choose(room);
      window_.append(run_, placed.segment, placed.source);
      room -= std::min(room, run_.rules.planned_positions(placed.segment.length));
    }
    window_.emit(run_);
  }

  WholeDocument choose(std::uint32_t room) {
    const Candidate& oldest = pool_.oldest();
    const std::uint32_t oldest_length = oldest.document.segment.length;
    const bool waited_too_long = arrivals_ - oldest.arrival > kPatience * run_.options.candidate_pool;
    if (waited_too_long && oldest_length <= room) return pool_.leave(oldest_length).document;

    const std::uint32_t longest = pool_.longest_fitting(room);
    return longest == CandidatePool::kNone ? cut_shortest(room) : pool_.leave(longest).document;
  }

  WholeDocument cut_shortest(std::uint32_t room) {
    const Candidate first = pool_.cut_shortest(room);
    if (!first.split) ++run_.ledger[first.document.source].split_documents;
    return first.document;
  }

  Run& run_;
  CandidatePool pool_;
  std::uint64_t arrivals_ = 0;
  OpenWindow<Segments> window_;  // whole windows at a time, so never open between documents
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_best_fit_wrap(Run& run) {
  if (run.trace != nullptr) return make_streaming_of<BestFitWrap<TracedSegments>>(run);
  return make_streaming_of<BestFitWrap<TailSegments>>(run);
}

}  // namespace packscope
