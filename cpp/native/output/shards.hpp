// SPDX-License-Identifier: MIT
// The windows of a large output in folders of their own, shard-00000 and on. A shard has its name only when
// it is whole, so that a run that was killed goes on with the missing ones, and many machines can write them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "output/array_store.hpp"
#include "output/batch_ranges.hpp"
#include "packscope/stats.hpp"

namespace packscope::native {

inline constexpr std::string_view kShardName = "shard.json";  // in the shard's folder

struct Shard {
  std::string name;  // of its folder
  WindowRange windows;
};

// Of the shard number `index`.
std::string shard_name(std::uint64_t index);

// All shards of a plan, in order. A plan without windows has one that is empty.
std::vector<Shard> shards_of(std::uint64_t window_count, std::uint64_t shard_windows);

// Takes out of a report what only the tokens of all documents together tell: with shards no machine need hold
// them.
void leave_out_token_stats(Stats& stats);

// Whether a name is that of a shard's folder.
bool is_shard_name(std::string_view name);

// The fingerprint of a plan of these windows alone: it tells a shard from one of another plan.
std::string shard_fingerprint(const Options& options, const WindowList& list, WindowRange windows);

// What shard.json says of a finished shard. cu_seqlens_offsets count from 0 in each.
struct ShardEntry {
  std::string fingerprint;  // as shard_fingerprint has it
  WindowRange windows;
  std::vector<ArrayEntry> arrays;
};
Result<ShardEntry> read_shard(const std::string& folder, const Shard& shard);

// Whether FOLDER/NAME is there, and so whole.
bool has_shard(const std::string& folder, const Shard& shard);

// A shard on its way: it gets its name when it is whole. One that an earlier run has finished stays as it is,
// and is compared with what it would get.
class ShardWriter {
 public:
  // The number of its windows matters to containers that must know it beforehand.
  static Result<ShardWriter> create(const std::string& folder, const Shard& shard, StoredAs stored_as);

  ArrayStore& arrays() { return *arrays_; }
  // `fingerprint`: as shard_fingerprint has it. Error: the earlier run had other windows or other tokens.
  Status finish(const std::string& fingerprint, WindowRange windows);

 private:
  ShardWriter(std::string folder, std::string name, std::string pending, std::unique_ptr<ArrayStore> arrays)
      : folder_(std::move(folder)),
        name_(std::move(name)),
        pending_(std::move(pending)),
        arrays_(std::move(arrays)) {}

  std::string folder_;
  std::string name_;
  std::string pending_;  // empty: the shard is there
  std::unique_ptr<ArrayStore> arrays_;
};

// Materializes `shards` into folders of their names, and compares those that are there. Several programs may
// do so in one folder at the same time, each for shards of its own.
Status write_shards(const std::string& folder, std::span<const Shard> shards, const Plan& plan,
                    const CorpusData& corpus, StoredAs stored_as, const WorkShare& share);

}  // namespace packscope::native
