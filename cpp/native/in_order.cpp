// SPDX-License-Identifier: MIT
#include "in_order.hpp"

#include <oneapi/tbb/info.h>

namespace packscope::native {

unsigned thread_count(std::uint32_t asked) {
  if (asked > 0) return asked;
  return static_cast<unsigned>(oneapi::tbb::info::default_concurrency());
}

}  // namespace packscope::native
