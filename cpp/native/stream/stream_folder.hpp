// SPDX-License-Identifier: MIT
// Windows as arrays of an output folder, or of its shards, each as soon as it closes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output/array_folder.hpp"
#include "output/manifest.hpp"
#include "output/shards.hpp"
#include "stream/stream_output.hpp"

namespace packscope::native {

class StreamFolder : public StreamOutput {
 public:
  // `folder` exists, and is empty or what an earlier run left unfinished. `asked`: the run as it is before
  // anything is read, with an empty plan. Error: what is there was asked for otherwise. `together`: windows
  // in a piece of work.
  static Result<std::unique_ptr<StreamFolder>> create(const std::string& folder, const Outcome& asked,
                                                      std::uint64_t together);

  [[nodiscard]] std::uint64_t windows_together(std::uint64_t first_window) const override;
  [[nodiscard]] Status make(ClosedWindows& windows) const override;
  Status take(ClosedWindows& windows) override;

  // Call last: writes the manifest. The windows were all taken.
  Status finish(const Outcome& outcome);

 private:
  // The shard that the next window belongs to.
  struct OpenShard {
    Shard shard;  // its windows so far
    ShardWriter writer;
    WindowList list;  // of those windows, for the fingerprint
  };

  StreamFolder(std::string folder, const Outcome& asked, std::uint64_t together);
  Status take_plan(const WindowList& list, bool is_first);
  // Behind those of the windows from `first_window` on.
  Status take_arrays(ClosedWindows& windows, ArrayStore& arrays, std::uint64_t first_window);
  Status open_shard(std::uint64_t first_window);
  Status finish_shard();

  std::string folder_;
  StoredAs stored_as_;
  Options options_;
  std::optional<std::uint64_t> shard_windows_;
  bool plan_only_;
  std::uint64_t together_;
  ArrayFolder plan_arrays_;
  std::unique_ptr<ArrayStore> arrays_;  // of windows, where there are no shards
  std::optional<OpenShard> shard_;
  std::uint64_t segments_before_ = 0;
  std::uint64_t cu_seqlens_before_ = 0;  // in the folder, or the shard
};

}  // namespace packscope::native
