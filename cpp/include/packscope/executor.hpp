// SPDX-License-Identifier: MIT
// Where threads come from: the core starts none, and uses those that a caller lends it.
#pragma once

#include <cstddef>
#include <functional>

namespace packscope {

class Executor {
 public:
  virtual ~Executor() = default;

  // Into how many tasks work is worth cutting: the number of threads. Results do not depend on it.
  [[nodiscard]] virtual unsigned width() const = 0;

  // Calls task(0) to task(count - 1), in any order and perhaps at the same time, and returns when all have.
  // Tasks write to different memory and throw nothing.
  virtual void run(std::size_t count, const std::function<void(std::size_t)>& task) = 0;
};

}  // namespace packscope
