// SPDX-License-Identifier: MIT
// oneTBB's threads for the core.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "packscope/executor.hpp"

namespace packscope::native {

class TaskExecutor : public Executor {
 public:
  explicit TaskExecutor(unsigned threads) : width_(threads), arena_(static_cast<int>(threads)) {}

  [[nodiscard]] unsigned width() const override { return width_; }

  void run(std::size_t count, const std::function<void(std::size_t)>& task) override {
    arena_.execute([&] { oneapi::tbb::parallel_for(std::size_t{0}, count, task); });
  }

 private:
  unsigned width_;
  oneapi::tbb::task_arena arena_;
};

}  // namespace packscope::native
