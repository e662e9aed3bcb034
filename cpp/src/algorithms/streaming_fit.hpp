// SPDX-License-Identifier: MIT
// What first_fit, best_fit and worst_fit share: they differ only in the open window they choose.
#pragma once

#include "algorithms/streaming.hpp"
#include "index/indexed_windows.hpp"
#include "index/scanned_windows.hpp"

namespace packscope {

// A scan of this many rooms costs about as much as a step in an index.
inline constexpr std::uint32_t kMostScannedWindows = 128;

// OpenWindows: ScannedWindows, IndexedWindows or WindowsByRoom.
// Choose: std::uint32_t operator()(const OpenWindows&, std::uint32_t positions), a window or kNone.
template <class OpenWindows, class Choose>
class StreamingFit {
 public:
  static constexpr bool kPlacesBlocks = false;
  static constexpr bool kCutsDocuments = false;

  explicit StreamingFit(Run& run) : run_(run), open_(run.options) {}

  // Not inlined: the choice costs far more than a call, and loops over documents come in several forms.
  [[gnu::noinline]] void place(const Piece& piece) {
    std::uint32_t slot = Choose{}(open_, piece.positions);
    if (slot == OpenWindows::kNone) {
      if (closes(run_, run_.rules.capacity - piece.positions, 1)) return emit_alone(run_, piece.segment);
      if (open_.size() >= run_.options.open_windows) evict();
      slot = open_.open(run_.rules.capacity);
    }
    const std::uint32_t room = open_.room(slot) - piece.positions;
    const bool last = closes(run_, room, open_.window(slot).size() + 1);
    open_.place(run_, slot, piece, last);
    if (last) close(slot);
  }

  void flush() {
    while (open_.size() > 0) close(open_.oldest());
  }

 private:
  void evict() { close(run_.options.evict == Evict::oldest ? open_.oldest() : open_.fullest()); }

  void close(std::uint32_t slot) {
    open_.window(slot).emit(run_);
    open_.close(slot);
  }

  Run& run_;
  OpenWindows open_;
};

// For first_fit and worst_fit.
template <class Choose>
std::unique_ptr<StreamingAlgorithm> make_streaming_fit(Run& run) {
  if (run.trace != nullptr)
    return make_streaming_of<StreamingFit<ScannedWindows<TracedSegments>, Choose>>(run);
  if (run.options.open_windows <= kMostScannedWindows) {
    return make_streaming_of<StreamingFit<ScannedWindows<OwnSegments>, Choose>>(run);
  }
  return make_streaming_of<StreamingFit<IndexedWindows, Choose>>(run);
}

}  // namespace packscope
