// SPDX-License-Identifier: MIT
// Which of the processor's instruction sets the SIMD kernels run on.
#pragma once

#ifdef PACKSCOPE_SIMD
#include <hwy/targets.h>

namespace packscope {

// Looks at the processor once; Highway keeps the choice, which tests may narrow. WebAssembly has one.
inline void choose_target() {
#ifndef __EMSCRIPTEN__
  if (!hwy::GetChosenTarget().IsInitialized()) hwy::GetChosenTarget().Update(hwy::SupportedTargets());
#endif
}

}  // namespace packscope
#endif
