// SPDX-License-Identifier: MIT
// next_fit: one window is open; a document that does not fit closes it and opens the next.
// O(documents). At most twice the optimum. Johnson 1973, Near-optimal bin packing algorithms.
#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

template <class Segments>
class NextFit {
 public:
  static constexpr bool kCutsDocuments = false;

  explicit NextFit(Run& run) : run_(run), open_(run), room_(run.rules.capacity) {}

  void place(const Piece& piece) {
    if (piece.positions > room_) close();
    open_.append(run_, piece.segment, piece.source);
    room_ -= piece.positions;
    if (closes(run_, room_, open_.size())) close();
  }

  void flush() {
    if (!open_.empty()) close();
  }

 private:
  void close() {
    open_.emit(run_);
    room_ = run_.rules.capacity;
  }

  Run& run_;
  OpenWindow<Segments> open_;
  std::uint32_t room_;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_next_fit(Run& run) { return make_with_one_window<NextFit>(run); }

}  // namespace packscope
