// SPDX-License-Identifier: MIT
#include "stream/stream_folder.hpp"

#include <algorithm>
#include <utility>

#include "message.hpp"

namespace packscope::native {
namespace {

void append_windows(WindowList& list, const WindowList& more) {
  const std::uint64_t before = list.segments.size();
  list.segments.insert(list.segments.end(), more.segments.begin(), more.segments.end());
  for (std::size_t i = 1; i < more.window_offsets.size(); ++i)
    list.window_offsets.push_back(before + more.window_offsets[i]);
}

}  // namespace

StreamFolder::StreamFolder(std::string folder, const Outcome& asked, std::uint64_t together)
    : folder_(std::move(folder)),
      stored_as_(asked.stored_as),
      options_(asked.plan->options),
      shard_windows_(asked.shard_windows),
      plan_only_(asked.plan_only),
      together_(together),
      plan_arrays_(folder_) {
  if (!plan_only_ && !shard_windows_) arrays_ = make_array_store(folder_, stored_as_.container, 0);
}

Result<std::unique_ptr<StreamFolder>> StreamFolder::create(const std::string& folder, const Outcome& asked,
                                                           std::uint64_t together) {
  const std::string manifest = manifest_text(asked, {});
  if (Status same = check_unfinished(folder, manifest, ManifestPart::asked); !same) return same.error();
  if (Status written = write_manifest(folder, manifest); !written) return written.error();
  return std::unique_ptr<StreamFolder>(new StreamFolder(folder, asked, together));
}

std::uint64_t StreamFolder::windows_together(std::uint64_t first_window) const {
  if (!shard_windows_) return together_;
  return std::min(together_, *shard_windows_ - first_window % *shard_windows_);
}

Status StreamFolder::make(ClosedWindows& windows) const {
  return plan_only_ ? Status() : windows.materialize(stored_as_.ids);
}

Status StreamFolder::take(ClosedWindows& windows) {
  if (Status taken = take_plan(windows.plan, windows.first_window == 0); !taken || plan_only_) return taken;
  if (!shard_windows_) return take_arrays(windows, *arrays_, 0);
  if (!shard_) {
    if (Status opened = open_shard(windows.first_window); !opened) return opened;
  }
  const std::uint64_t first_window = shard_->shard.windows.first;
  if (Status taken = take_arrays(windows, shard_->writer.arrays(), first_window); !taken) return taken;
  append_windows(shard_->list, windows.plan);
  shard_->shard.windows.last = windows.range().last;
  return shard_->shard.windows.size() == *shard_windows_ ? finish_shard() : Status();
}

Status StreamFolder::take_plan(const WindowList& list, bool is_first) {
  std::vector<std::uint64_t> offsets(list.window_offsets.begin(), list.window_offsets.end());
  continue_offsets(offsets, segments_before_, is_first);
  segments_before_ += list.segments.size();
  return plan_arrays_.append(PlanArrays(list.segments, offsets).views());
}

Status StreamFolder::take_arrays(ClosedWindows& windows, ArrayStore& arrays, std::uint64_t first_window) {
  Batch& batch = windows.stored.batch;
  const bool is_first = windows.first_window == first_window;
  if (is_first) cu_seqlens_before_ = 0;
  continue_offsets(batch.cu_seqlens_offsets, cu_seqlens_before_, is_first);
  cu_seqlens_before_ += batch.cu_seqlens.size();
  return arrays.append(windows.stored.arrays(windows.plan, windows.tokens.known, stored_as_.ids));
}

Status StreamFolder::open_shard(std::uint64_t first_window) {
  const Shard shard{shard_name(first_window / *shard_windows_), {first_window, first_window}};
  Result<ShardWriter> writer = ShardWriter::create(folder_, shard, stored_as_);
  if (!writer) return writer.error();
  shard_.emplace(OpenShard{shard, *std::move(writer), {}});
  return {};
}

Status StreamFolder::finish_shard() {
  OpenShard done = *std::exchange(shard_, std::nullopt);
  const WindowRange windows = done.shard.windows;
  return done.writer.finish(shard_fingerprint(options_, done.list, {0, windows.size()}), windows);
}

Status StreamFolder::finish(const Outcome& outcome) {
  if (shard_) {
    if (Status finished = finish_shard(); !finished) return finished;
  }
  std::vector<ArrayEntry> entries;
  if (arrays_) {
    if (Status finished = arrays_->finish(entries); !finished) return finished;
  }
  if (Status finished = plan_arrays_.finish(entries); !finished) return finished;
  return write_manifest(folder_, manifest_text(outcome, entries));
}

}  // namespace packscope::native
