// SPDX-License-Identifier: MIT
#include "output/shards.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "files/durable.hpp"
#include "files/file_writer.hpp"
#include "files/json_file.hpp"
#include "message.hpp"
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

Status write_shard(const std::string& folder, const Shard& shard, const Plan& plan, const CorpusData& corpus,
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
  const fs::path pending = fs::path(folder) / concat(".", shard.name, ".part");
  std::error_code error;
  fs::remove_all(pending, error);  // of a run that was killed
  if (!fs::create_directory(pending, error)) {
    return Error{ErrorCode::io_error, concat("cannot write ", pending.string(), ": ", error.message())};
  }
  return ShardWriter((fs::path(folder) / shard.name).string(), pending.string(),
                     make_array_store(pending.string(), stored_as.container, shard.windows.size()));
}

Status ShardWriter::finish(const std::string& fingerprint, WindowRange windows) {
  ShardEntry entry{fingerprint, windows, {}};
  if (Status finished = arrays_->finish(entry.arrays); !finished) return finished;
  Status told = write_text_file((fs::path(pending_) / kShardName).string(), shard_text(entry));
  return told ? move_durably(pending_, final_) : told;
}

bool has_shard(const std::string& folder, const Shard& shard) {
  std::error_code error;
  return fs::is_directory(fs::path(folder) / shard.name, error);
}

Status write_missing_shards(const std::string& folder, std::span<const Shard> shards, const Plan& plan,
                            const CorpusData& corpus, StoredAs stored_as, const WorkShare& share) {
  std::uint64_t total = 0;
  for (const Shard& shard : shards) total += shard.windows.size();
  std::uint64_t before = 0;
  WorkShare part = share;
  part.progress = [&](std::uint64_t done, std::uint64_t) {
    if (share.progress) share.progress(before + done, total);
  };
  for (const Shard& shard : shards) {
    if (!has_shard(folder, shard)) {
      if (Status written = write_shard(folder, shard, plan, corpus, stored_as, part); !written)
        return written;
    }
    before += shard.windows.size();
  }
  return {};
}

}  // namespace packscope::native
