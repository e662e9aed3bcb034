// SPDX-License-Identifier: MIT
// worst_fit: a document goes to the open window with the most room, if it fits there.
// O(documents * open_windows) for few open windows, O(documents * log open_windows) for many. At most 2 times
// the optimum with unlimited open_windows. Johnson 1973, Near-optimal bin packing algorithms.
#include "algorithms/streaming_fit.hpp"

namespace packscope {
namespace {

struct ChooseWorstFit {
  template <class OpenWindows>
  std::uint32_t operator()(const OpenWindows& open, std::uint32_t positions) const {
    return open.roomiest_with_room(positions);
  }
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_worst_fit(Run& run) {
  return make_streaming_fit<ChooseWorstFit>(run);
}

}  // namespace packscope
