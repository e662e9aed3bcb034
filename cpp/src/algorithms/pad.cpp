// SPDX-License-Identifier: MIT
// pad: one document in each window. The baseline that packing is measured against.
#include "algorithms/algorithm.hpp"

namespace packscope {
namespace {

class Pad final : public StreamingAlgorithm {
 public:
  explicit Pad(Run& run) : run_(run) {}

  void push(std::span<const Piece> pieces) override {
    for (std::size_t i = 0; i < pieces.size(); ++i) emit_window(run_, pieces.subspan(i, 1));
  }
  void flush() override {}

 private:
  Run& run_;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_pad(Run& run) { return std::make_unique<Pad>(run); }

}  // namespace packscope
