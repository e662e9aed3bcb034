// SPDX-License-Identifier: MIT
// Where windows go as they close.
#pragma once

#include <cstdint>
#include <string>

#include "output/batch_ranges.hpp"
#include "packscope/plan.hpp"
#include "stream/held_documents.hpp"

namespace packscope::native {

// Some windows in a row, on their way to the output.
struct ClosedWindows {
  std::uint64_t first_window = 0;
  Plan plan;  // of these windows alone
  WindowTokens tokens;
  StoredBatch stored;
  std::string text;

  [[nodiscard]] WindowRange range() const { return {first_window, first_window + plan.window_count()}; }

  // Fills `stored`.
  Status materialize(IdType ids);
};

class StreamOutput {
 public:
  virtual ~StreamOutput() = default;

  // How many windows from `first_window` on make a piece of work, at least one.
  [[nodiscard]] virtual std::uint64_t windows_together(std::uint64_t first_window) const = 0;
  // Works out what stands in the output; on any thread, several pieces at the same time.
  [[nodiscard]] virtual Status make(ClosedWindows& windows) const = 0;
  // Writes it; in the order of the windows.
  virtual Status take(ClosedWindows& windows) = 0;
};

// For a run that only reports.
class StreamNowhere : public StreamOutput {
 public:
  [[nodiscard]] std::uint64_t windows_together(std::uint64_t) const override { return kWindowsWithoutArrays; }
  [[nodiscard]] Status make(ClosedWindows&) const override { return {}; }
  Status take(ClosedWindows&) override { return {}; }
};

}  // namespace packscope::native
