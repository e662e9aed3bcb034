// SPDX-License-Identifier: MIT
// first_fit: a document goes to the earliest opened window with room for it.
// O(documents * open_windows) for few open windows, O(documents * log open_windows) for many. At most 1.7
// times the optimum with unlimited open_windows. Johnson et al. 1974, SIAM J. Comput. 3(4).
#include "algorithms/streaming_fit.hpp"

namespace packscope {
namespace {

struct ChooseFirstFit {
  template <class OpenWindows>
  std::uint32_t operator()(const OpenWindows& open, std::uint32_t positions) const {
    return open.earliest_with_room(positions);
  }
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_first_fit(Run& run) {
  return make_streaming_fit<ChooseFirstFit>(run);
}

}  // namespace packscope
