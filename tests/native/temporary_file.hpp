// SPDX-License-Identifier: MIT
// A file with given bytes that is gone when the test ends.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace packscope::native {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes, const std::string& ending = ".jsonl") {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = ::testing::TempDir() + "packscope-" + std::to_string(getpid()) + "-" + test->name() + ending;
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace packscope::native
