// SPDX-License-Identifier: MIT
// Windows as JSON lines, each as soon as it closes.
#pragma once

#include "files/file_writer.hpp"
#include "stream/stream_output.hpp"

namespace packscope::native {

class StreamLines : public StreamOutput {
 public:
  // `together`: windows in a piece of work. With `plan_only` lines hold segments alone.
  StreamLines(FileWriter& file, std::uint64_t together, bool plan_only)
      : file_(file), together_(together), plan_only_(plan_only) {}

  [[nodiscard]] std::uint64_t windows_together(std::uint64_t) const override { return together_; }

  [[nodiscard]] Status make(ClosedWindows& windows) const override;
  Status take(ClosedWindows& windows) override;

 private:
  FileWriter& file_;
  std::uint64_t together_;
  bool plan_only_;
};

}  // namespace packscope::native
