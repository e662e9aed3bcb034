// SPDX-License-Identifier: MIT
#include "output/output_parts.hpp"

#include <algorithm>
#include <filesystem>

#include "files/npy.hpp"
#include "message.hpp"
#include "output/batch_arrays.hpp"
#include "output/shards.hpp"
#include "packscope/plan.hpp"
#include "packscope/xxh64.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kPieceBytes = 1 << 20;

std::string dtype_text(std::string_view descr, const std::vector<std::uint64_t>& shape) {
  std::string text(descr);
  for (const std::uint64_t extent : shape)
    text += concat(text.size() == descr.size() ? " of " : " x ", extent);
  return text;
}

// Of everything that `file` has left.
Result<std::string> checksum_of(ByteSource& file) {
  Xxh64 hash;
  std::vector<char> piece(kPieceBytes);
  while (true) {
    const Result<std::size_t> got = file.read(piece);
    if (!got) return got.error();
    if (*got == 0) return fingerprint_text(hash.digest());
    hash.update(std::as_bytes(std::span(piece).first(*got)));
  }
}

Status check_header(const std::string& folder, const ArrayEntry& entry) {
  Result<ByteSource> file = ByteSource::open(concat(folder, "/", entry.name, ".npy"));
  if (!file) return file.error();
  const Result<NpyHeader> header = read_npy_header(*file);
  if (!header) return header.error();
  if (header->descr == entry.descr && header->shape == entry.shape) return {};
  return bad_data(file->name(), ": is ", dtype_text(header->descr, header->shape), ", the manifest says ",
                  dtype_text(entry.descr, entry.shape));
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
                                             std::uint64_t window_count) {
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
    if (entry->fingerprint != manifest.fingerprint) {
      return bad_data(folder, "/", shard.name, ": was made for the plan ", entry->fingerprint,
                      ", the manifest's is ", manifest.fingerprint, "; remove it and materialize it again");
    }
    parts.push_back({concat(folder, "/", shard.name), shard.windows, std::move(entry->arrays)});
  }
  return parts;
}

Status check_listing(const std::string& folder, const std::vector<ArrayEntry>& arrays) {
  for (const ArrayEntry& entry : arrays) {
    if (Status same = check_header(folder, entry); !same) return same;
  }
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    const auto listed = [&](const ArrayEntry& entry) { return entry.name == file.path().stem().string(); };
    if (file.path().extension() != ".npy" || std::any_of(arrays.begin(), arrays.end(), listed)) continue;
    return bad_data(file.path().string(), ": is not in the manifest; take it out of the folder");
  }
  return {};
}

Status check_checksums(const std::string& folder, const std::vector<ArrayEntry>& arrays) {
  for (const ArrayEntry& entry : arrays) {
    Result<ByteSource> file = ByteSource::open(concat(folder, "/", entry.name, ".npy"));
    if (!file) return file.error();
    if (const Result<NpyHeader> header = read_npy_header(*file); !header) return header.error();
    const Result<std::string> checksum = checksum_of(*file);
    if (!checksum) return checksum.error();
    if (*checksum == entry.checksum) continue;
    return bad_data(file->name(), ": the checksum of its values is ", *checksum, ", the manifest says ",
                    entry.checksum, "; the file is damaged or was changed");
  }
  return {};
}

}  // namespace packscope::native
