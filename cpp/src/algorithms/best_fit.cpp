// SPDX-License-Identifier: MIT
// best_fit: a document goes to the open window that it would leave with the least room.
// O(documents * log open_windows). At most 1.7 times the optimum with unlimited open_windows. Johnson et al.
// 1974, SIAM J. Comput. 3(4).
#include "algorithms/streaming_fit.hpp"
#include "index/windows_by_room.hpp"

namespace packscope {
namespace {

struct ChooseBestFit {
  template <class OpenWindows>
  std::uint32_t operator()(const OpenWindows& open, std::uint32_t positions) const {
    return open.tightest_with_room(positions);
  }
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_best_fit(Run& run) {
  if (run.trace != nullptr)
    return make_streaming_of<StreamingFit<WindowsByRoom<TracedSegments>, ChooseBestFit>>(run);
  return make_streaming_of<StreamingFit<WindowsByRoom<OwnSegments>, ChooseBestFit>>(run);
}

}  // namespace packscope
