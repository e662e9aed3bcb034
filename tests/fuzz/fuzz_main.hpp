// SPDX-License-Identifier: MIT
// The entry of a target that makes every choice by a FuzzedDataProvider: it defines run().
#pragma once

#include "fuzz_input.hpp"

namespace packscope_fuzz {

void run(FuzzedDataProvider& data);

}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  packscope_fuzz::run(data);
  return 0;
}
