// SPDX-License-Identifier: MIT
#include "output/shards.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "files/durable.hpp"
#include "files/file_writer.hpp"
#include "files/json_file.hpp"
#include "message.hpp"
#include "output/array_tally.hpp"
#include "output/manifest.hpp"
#include "packscope/plan.hpp"

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNamePrefix = "shard-";
constexpr std::size_t kNameDigits = 5;  // at least, so that names sort as numbers
constexpr std::string_view kShardFormat = "packscope shard";
constexpr std::uint64_t kShardVersion = 1;

std::string shard_text(const ShardEntry& entry) {
  JsonWriter json(JsonWriter::Layout::indented);
  json.begin_object()
      .member("format", kShardFormat)
      .member("format_version", kShardVersion)
      .member("fingerprint", entry.fingerprint)
      .member("first_window", entry.windows.first)
      .member("windows", entry.windows.size());
  write_arrays(json.key("arrays"), entry.arrays);
  json.end_object();
  return json.text() + "\n";
}

// Arrays that are there already: only their list is made anew.
class TalliedArrays : public ArrayStore {
 public:
  Status append(const std::vector<ArrayView>& arrays) override {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (i == tallies_.size()) tallies_.emplace_back(arrays[i]);
      tallies_[i].add(arrays[i].values);
    }
    return {};
  }

  Status finish(std::vector<ArrayEntry>& entries) override {
    for (const ArrayTally& tally : tallies_) entries.push_back(tally.entry());
    return {};
  }

 private:
  std::vector<ArrayTally> tallies_;
};

bool same_values(const ArrayEntry& one, const ArrayEntry& other) {
  return one.descr == other.descr && one.shape == other.shape && one.checksum == other.checksum;
}

// A shard of an earlier run holds what this one would write.
Status check_shard(const std::string& folder, const Shard& shard, const ShardEntry& made) {
  const Result<ShardEntry> there = read_shard(folder, shard);
  if (!there) return there.error();
  if (there->fingerprint != made.fingerprint || there->arrays.size() != made.arrays.size())
    return made_otherwise(folder);
  for (const ArrayEntry& array : made.arrays) {
    const ArrayEntry* const old = find_array(there->arrays, array.name);
    if (old != nullptr && same_values(*old, array)) continue;
    return bad_usage(
        folder, "/", shard.name, ": its ", array.name,
        " are not those that the input gives now: its tokens have changed since; give it as it was, or "
        "leave --resume out to start anew");
  }
  return {};
}

Status make_shard(const std::string& folder, const Shard& shard, const Plan& plan, const CorpusData& corpus,
                  StoredAs stored_as, const WorkShare& share) {
  Result<ShardWriter> writer = ShardWriter::create(folder, shard, stored_as);
  if (!writer) return writer.error();
  const auto append = [&](const WindowRange&, const std::vector<ArrayView>& views) {
    return writer->arrays().append(views);
  };
  Status written = for_each_range(plan, corpus, shard.windows, stored_as.ids, share, append);
  if (!written) return written;
  return writer->finish(shard_fingerprint(plan.options, plan, shard.windows), shard.windows);
}

}  // namespace

std::string shard_name(std::uint64_t index) {
  const std::string digits = std::to_string(index);
  const std::size_t zeros = digits.size() < kNameDigits ? kNameDigits - digits.size() : 0;
  return concat(kNamePrefix, std::string(zeros, '0'), digits);
}

std::vector<Shard> shards_of(std::uint64_t window_count, std::uint64_t shard_windows) {
  std::vector<Shard> shards;
  std::uint64_t first = 0;
  do {
    const std::uint64_t last = window_count - first > shard_windows ? first + shard_windows : window_count;
    shards.push_back({shard_name(shards.size()), {first, last}});
    first = last;
  } while (first < window_count);
  return shards;
}

void leave_out_token_stats(Stats& stats) {
  stats.exact_duplicates.reset();
  stats.documents_without_target.reset();
}

bool is_shard_name(std::string_view name) {
  if (!name.starts_with(kNamePrefix) || name.size() < kNamePrefix.size() + kNameDigits) return false;
  return name.find_first_not_of("0123456789", kNamePrefix.size()) == std::string_view::npos;
}

Result<ShardEntry> read_shard(const std::string& folder, const Shard& shard) {
  const std::string path = concat(folder, "/", shard.name, "/", kShardName);
  Result<JsonFile> file = JsonFile::read(path, kShardFormat, kShardVersion);
  if (!file) return file.error();
  const std::uint64_t first = number_of(file->root(), "first_window");
  ShardEntry entry{
      string_of(file->root(), "fingerprint"), {first, first + number_of(file->root(), "windows")}, {}};
  if (entry.windows.first != shard.windows.first || entry.windows.last != shard.windows.last) {
    return bad_data(path, ": has windows ", entry.windows.first, " to ", entry.windows.last,
                    " where the manifest has ", shard.windows.first, " to ", shard.windows.last,
                    "; it belongs to another output");
  }
  simdjson::dom::object arrays;
  if (file->root()["arrays"].get(arrays) != simdjson::SUCCESS) return bad_data(path, ": lacks arrays");
  entry.arrays = read_arrays(arrays);
  return entry;
}

std::string shard_fingerprint(const Options& options, const WindowList& list, WindowRange windows) {
  Plan part;
  part.options = options;
  copy_windows(list, windows, part);
  return fingerprint_text(fingerprint(part));
}

Result<ShardWriter> ShardWriter::create(const std::string& folder, const Shard& shard, StoredAs stored_as) {
  if (has_shard(folder, shard)) return ShardWriter(folder, shard.name, {}, std::make_unique<TalliedArrays>());
  const fs::path pending = fs::path(folder) / concat(".", shard.name, ".part");
  std::error_code error;
  fs::remove_all(pending, error);  // of a run that was killed
  if (!fs::create_directory(pending, error)) {
    return Error{ErrorCode::io_error, concat("cannot write ", pending.string(), ": ", error.message())};
  }
  return ShardWriter(folder, shard.name, pending.string(),
                     make_array_store(pending.string(), stored_as.container, shard.windows.size()));
}

Status ShardWriter::finish(const std::string& fingerprint, WindowRange windows) {
  ShardEntry entry{fingerprint, windows, {}};
  if (Status finished = arrays_->finish(entry.arrays); !finished) return finished;
  if (pending_.empty()) return check_shard(folder_, {name_, windows}, entry);
  Status told = write_text_file((fs::path(pending_) / kShardName).string(), shard_text(entry));
  return told ? move_durably(pending_, (fs::path(folder_) / name_).string()) : told;
}

bool has_shard(const std::string& folder, const Shard& shard) {
  std::error_code error;
  return fs::is_directory(fs::path(folder) / shard.name, error);
}

Status write_shards(const std::string& folder, std::span<const Shard> shards, const Plan& plan,
                    const CorpusData& corpus, StoredAs stored_as, const WorkShare& share) {
  std::uint64_t total = 0;
  for (const Shard& shard : shards) total += shard.windows.size();
  std::uint64_t before = 0;
  WorkShare part = share;
  part.progress = [&](std::uint64_t done, std::uint64_t) {
    if (share.progress) share.progress(before + done, total);
  };
  for (const Shard& shard : shards) {
    if (Status made = make_shard(folder, shard, plan, corpus, stored_as, part); !made) return made;
    before += shard.windows.size();
  }
  return {};
}

}  // namespace packscope::native
