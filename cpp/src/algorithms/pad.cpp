// SPDX-License-Identifier: MIT
// pad: one document in each window. The baseline that packing is measured against.
#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

class Pad {
 public:
  static constexpr bool kPlacesBlocks = false;
  static constexpr bool kCutsDocuments = false;

  explicit Pad(Run& run) : run_(run) {}

  void place(const Piece& piece) { emit_alone(run_, piece.segment); }
  void flush() {}

 private:
  Run& run_;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_pad(Run& run) { return make_streaming_of<Pad>(run); }

}  // namespace packscope
