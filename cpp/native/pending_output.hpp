// SPDX-License-Identifier: MIT
// Output under a temporary name beside its place, moved there when it is complete: nothing
// half-written ever stands under the final name.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "packscope/result.hpp"

namespace packscope::native {

class PendingOutput {
 public:
  enum class Kind : std::uint8_t { folder, file };

  // Refuses what check_output refuses.
  static Result<PendingOutput> create(const std::string& target, Kind kind,
                                      std::span<const std::string> inputs);

  PendingOutput(PendingOutput&& other) noexcept;
  PendingOutput& operator=(PendingOutput&&) = delete;
  ~PendingOutput();  // removes what was not committed

  // Where to write. A folder exists already, a file does not.
  [[nodiscard]] const std::filesystem::path& path() const { return pending_; }

  // Moves the complete output to its place.
  Status commit();

 private:
  PendingOutput(std::filesystem::path target, std::filesystem::path pending)
      : target_(std::move(target)), pending_(std::move(pending)) {}

  std::filesystem::path target_;
  std::filesystem::path pending_;  // empty: nothing to remove
};

// Refuses a target that exists unless it is output of ours or empty, one that is an input, and one whose
// folder is missing.
Status check_output(const std::string& target, PendingOutput::Kind kind, std::span<const std::string> inputs);

}  // namespace packscope::native
