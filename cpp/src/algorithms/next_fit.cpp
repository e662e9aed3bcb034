// SPDX-License-Identifier: MIT
// next_fit: one window is open; a document that does not fit closes it and opens the next.
// O(documents). At most twice the optimum. Johnson 1973, Near-optimal bin packing algorithms.
#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

class NextFit {
 public:
  static constexpr bool kCutsDocuments = false;

  explicit NextFit(Run& run) : run_(run), room_(run.rules.capacity) {}

  void place(const Piece& piece) {
    if (piece.positions > room_) close();
    open_.push_back(piece);
    room_ -= piece.positions;
    if (closes(run_, room_, open_.size())) close();
  }
  void flush() { close(); }

 private:
  void close() {
    if (open_.empty()) return;
    emit_window(run_, open_);
    open_.clear();
    room_ = run_.rules.capacity;
  }

  Run& run_;
  std::vector<Piece> open_;
  std::uint32_t room_;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_next_fit(Run& run) { return make_streaming_of<NextFit>(run); }

}  // namespace packscope
