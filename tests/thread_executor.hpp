// SPDX-License-Identifier: MIT
// An Executor of plain threads, one for each task: the thread sanitizer sees all of it.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "packscope/executor.hpp"

namespace packscope_tests {

class ThreadExecutor : public packscope::Executor {
 public:
  explicit ThreadExecutor(unsigned width) : width_(width) {}

  [[nodiscard]] unsigned width() const override { return width_; }
  void run(std::size_t count, const std::function<void(std::size_t)>& task) override {
    ++runs_;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back(task, i);
    for (std::thread& thread : threads) thread.join();
  }
  [[nodiscard]] int runs() const { return runs_; }

 private:
  unsigned width_;
  int runs_ = 0;
};

}  // namespace packscope_tests
