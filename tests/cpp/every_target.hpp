// SPDX-License-Identifier: MIT
// Runs a check of SIMD kernels on each instruction set that was built and that this processor has.
#pragma once

#include <string>

#if defined(PACKSCOPE_SIMD) && !defined(__EMSCRIPTEN__)
#include <hwy/targets.h>
#endif

namespace packscope {

// `check` takes the name of the instruction set. Where there is one only, it runs once.
template <class Check>
void on_every_target(Check check) {
  check(std::string("chosen"));
#if defined(PACKSCOPE_SIMD) && !defined(__EMSCRIPTEN__)
  const auto choose = [](std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    choose(target);
    check(std::string(hwy::TargetName(target)));
  }
  choose(0);  // all of them again
#endif
}

}  // namespace packscope
