// SPDX-License-Identifier: MIT
// Output under a temporary name beside its place, moved there when it is complete: nothing
// half-written ever stands under the final name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "packscope/result.hpp"

namespace packscope::native {

// Which existing outputs may be replaced. A folder tells by its manifest what is ours; a file tells nothing.
enum class Replace : std::uint8_t { our_folders, any_file };

// What happens to an output that a run for the same target left unfinished when it was killed.
enum class Unfinished : std::uint8_t { remove, resume };

class PendingOutput {
 public:
  enum class Kind : std::uint8_t { folder, file };

  // Refuses what check_output refuses.
  static Result<PendingOutput> create(const std::string& target, Kind kind,
                                      std::span<const std::string> inputs, Replace replace,
                                      Unfinished unfinished = Unfinished::remove);

  PendingOutput(PendingOutput&& other) noexcept;
  PendingOutput& operator=(PendingOutput&&) = delete;
  ~PendingOutput();  // removes what was not committed

  // Where to write. A folder exists already, and is empty unless it is resumed; a file does not exist.
  [[nodiscard]] const std::filesystem::path& path() const { return pending_; }

  // Moves the complete output to its place.
  Status commit();

 private:
  PendingOutput(std::filesystem::path target, std::filesystem::path pending)
      : target_(std::move(target)), pending_(std::move(pending)) {}

  Status move_to_target();

  std::filesystem::path target_;
  std::filesystem::path pending_;  // empty: nothing to remove
};

inline constexpr std::string_view kKeptShards = "finished shards are kept, --resume goes on: ";

// Ends writing for good: afterwards nothing can be created or committed. What is not committed is removed,
// except for a folder with finished shards, whose path is returned. Call it from a thread of its own just
// before the program ends.
std::string abandon_pending_output();

// The folder with finished shards that a run of this program left when it failed; empty where there is none.
std::string kept_output();

// Refuses a folder with anything in it that its manifest does not list, a file unless `replace` allows it, a
// target that is an input or holds one, and one whose own folder is missing.
Status check_output(const std::string& target, PendingOutput::Kind kind, std::span<const std::string> inputs,
                    Replace replace);

}  // namespace packscope::native
