// SPDX-License-Identifier: MIT
#include "output/output_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "files/mapped_array.hpp"
#include "message.hpp"
#include "output/array_archive.hpp"
#include "output/batch_arrays.hpp"
#include "output/megatron_index.hpp"
#include "output/shards.hpp"
#include "packscope/plan.hpp"
#include "packscope/xxh64.hpp"

namespace packscope::native {
namespace {

// Besides values, files have what their format puts around them.
Status check_frames(const std::string& folder, const std::vector<ArrayEntry>& arrays) {
  std::map<const ArchiveLayout*, std::vector<ArrayEntry>> archives;
  for (const ArrayEntry& entry : arrays) {
    if (entry.file.empty()) continue;
    if (const ArchiveLayout* const layout = archive_layout(entry.file); layout != nullptr) {
      archives[layout].push_back(entry);
    } else if (Status indexed = check_megatron_index(folder, entry); !indexed) {
      return indexed;
    }
  }
  for (const auto& [layout, entries] : archives) {
    if (Status same = check_archive(folder, *layout, entries); !same) return same;
  }
  return {};
}

Error missing(const std::string& folder, const std::vector<Shard>& shards) {
  const auto is_missing = [&](const Shard& shard) { return !has_shard(folder, shard); };
  const auto first = std::find_if(shards.begin(), shards.end(), is_missing);
  return bad_data(folder, ": ", std::count_if(shards.begin(), shards.end(), is_missing), " of ",
                  shards.size(), " shards are missing, the first is ", first->name, " with windows ",
                  first->windows.first, " to ", first->windows.last, "; packscope materialize ", folder,
                  " writes them");
}

}  // namespace

Result<std::vector<OutputPart>> output_parts(const std::string& folder, const Manifest& manifest,
                                             const Plan& plan) {
  const std::uint64_t window_count = plan.window_count();
  std::vector<OutputPart> parts;
  if (manifest.plan_only) return parts;
  if (!manifest.shard_windows) {
    OutputPart all{folder, {0, window_count}, manifest.arrays};  // the plan's come last
    all.arrays.resize(all.arrays.size() - std::min(all.arrays.size(), kPlanArrays));
    parts.push_back(std::move(all));
    return parts;
  }
  const std::vector<Shard> shards = shards_of(window_count, *manifest.shard_windows);
  for (const Shard& shard : shards) {
    if (!has_shard(folder, shard)) return missing(folder, shards);
    Result<ShardEntry> entry = read_shard(folder, shard);
    if (!entry) return entry.error();
    if (entry->fingerprint != shard_fingerprint(plan.options, plan, shard.windows)) {
      return bad_data(folder, "/", shard.name,
                      ": was made for another plan; remove it, and packscope materialize ", folder,
                      " writes it again");
    }
    parts.push_back({concat(folder, "/", shard.name), shard.windows, std::move(entry->arrays)});
  }
  return parts;
}

bool is_array_file(const std::filesystem::path& path) {
  constexpr std::string_view kEndings[] = {".npy", ".npz", ".safetensors", kTokenFileEnding,
                                           kMegatronIndexEnding};
  return std::find(std::begin(kEndings), std::end(kEndings), path.extension().string()) != std::end(kEndings);
}

Status check_listing(const std::string& folder, const std::vector<ArrayEntry>& arrays) {
  for (const ArrayEntry& entry : arrays) {
    if (const Result<MappedArray> array = MappedArray::open(folder, entry); !array) return array.error();
  }
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    if (!is_array_file(file.path()) || lists_file(arrays, file.path().filename().string())) continue;
    return bad_data(file.path().string(), ": is not in the manifest; take it out of the folder");
  }
  return check_frames(folder, arrays);
}

bool lists_file(const std::vector<ArrayEntry>& arrays, std::string_view name) {
  return std::any_of(arrays.begin(), arrays.end(), [&](const ArrayEntry& entry) {
    const bool has_index = entry.file.ends_with(kTokenFileEnding);
    return entry.file_name() == name || (has_index && concat(entry.name, kMegatronIndexEnding) == name);
  });
}

Status check_checksums(const std::string& folder, const std::vector<ArrayEntry>& arrays) {
  for (const ArrayEntry& entry : arrays) {
    const Result<MappedArray> array = MappedArray::open(folder, entry);
    if (!array) return array.error();
    Xxh64 hash;
    hash.update(array->bytes());
    if (Status same = check_checksum(array->place(), entry, hash.digest()); !same) return same;
  }
  return {};
}

Status check_checksum(const std::string& place, const ArrayEntry& entry, std::uint64_t hash) {
  const std::string checksum = fingerprint_text(hash);
  if (checksum == entry.checksum) return {};
  return bad_data(place, ": the checksum of its values is ", checksum, ", the manifest says ", entry.checksum,
                  "; the file is damaged or was changed");
}

}  // namespace packscope::native
