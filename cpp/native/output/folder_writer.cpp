// SPDX-License-Identifier: MIT
#include "output/folder_writer.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "files/json_writer.hpp"
#include "files/mapped_array.hpp"
#include "message.hpp"
#include "output/array_folder.hpp"
#include "output/array_store.hpp"
#include "output/shards.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kSegmentsAtATime = 1 << 20;  // they are copied, array by array

Status write_windows(const std::string& folder, const Outcome& outcome, const WorkShare& share,
                     std::vector<ArrayEntry>& entries) {
  const std::uint64_t windows = outcome.plan->window_count();
  const auto batches = make_array_store(folder, outcome.stored_as.container, windows);
  const auto append = [&](const WindowRange&, const std::vector<ArrayView>& arrays) {
    return batches->append(arrays);
  };
  Status written =
      for_each_range(*outcome.plan, *outcome.corpus, {0, windows}, outcome.stored_as.ids, share, append);
  return written ? batches->finish(entries) : written;
}

Status write_plan(const std::string& folder, const Plan& plan, std::vector<ArrayEntry>& entries) {
  ArrayFolder arrays(folder);
  std::span<const Segment> segments = plan.segments;
  std::span<const std::uint64_t> offsets = plan.window_offsets;
  do {
    const std::span<const Segment> piece = segments.first(std::min(segments.size(), kSegmentsAtATime));
    if (Status written = arrays.append(PlanArrays(piece, offsets).views()); !written) return written;
    segments = segments.subspan(piece.size());
    offsets = {};  // written whole with the first piece
  } while (!segments.empty());
  return arrays.finish(entries);
}

// One line for each document that was not packed whole.
Status write_fates(const std::string& path, const std::vector<DocumentFate>& fates) {
  Result<FileWriter> file = FileWriter::create(path);
  if (!file) return file.error();
  JsonWriter json(JsonWriter::Layout::one_line);
  for (const DocumentFate& fate : fates) {
    json.clear();
    json.begin_object()
        .member("document", fate.document)
        .member("fate", document_fate_name(fate.kind))
        .member("tokens_dropped", fate.tokens_dropped)
        .end_object();
    if (Status written = file->write(json.text() + "\n"); !written) return written;
  }
  return file->close();
}

Status write_plan_and_manifest(const std::string& folder, const Outcome& outcome,
                               std::vector<ArrayEntry> entries) {
  if (Status written = write_plan(folder, *outcome.plan, entries); !written) return written;
  if (outcome.fates != nullptr) {
    Status written = write_fates(concat(folder, "/", kLedgerName), *outcome.fates);
    if (!written) return written;
  }
  const std::string manifest = manifest_text(outcome, entries);
  if (Status same = check_unfinished(folder, manifest, ManifestPart::all); !same) return same;
  return write_manifest(folder, manifest);
}

// The arrays of one shard behind those of the shards before it.
Status append_shard(ArrayStore& arrays, const std::string& folder, const Shard& shard,
                    std::uint64_t& cu_seqlens_before) {
  const Result<ShardEntry> entry = read_shard(folder, shard);
  if (!entry) return entry.error();
  std::vector<MappedArray> mapped;
  std::vector<ArrayView> views;
  std::vector<std::uint64_t> offsets;
  for (const ArrayEntry& listed : entry->arrays) {
    Result<MappedArray> array = MappedArray::open(concat(folder, "/", shard.name), listed);
    if (!array) return array.error();
    const std::uint64_t columns = listed.shape.size() == 2 ? listed.shape[1] : 0;
    views.push_back({listed.name, listed.descr, descr_bytes(listed.descr), columns, array->bytes()});
    mapped.push_back(std::move(*array));
    if (listed.name != kOffsetsName) continue;
    offsets.resize(views.back().values.size() / sizeof(std::uint64_t));
    if (!offsets.empty()) std::memcpy(offsets.data(), views.back().values.data(), views.back().values.size());
    const std::uint64_t size = offsets.empty() ? 0 : offsets.back();
    continue_offsets(offsets, cu_seqlens_before, shard.windows.first == 0);
    views.back().values = std::as_bytes(std::span(offsets));
    cu_seqlens_before += size;
  }
  return arrays.append(views);
}

}  // namespace

Status write_folder(const std::string& folder, const Outcome& outcome, const WorkShare& share) {
  std::vector<ArrayEntry> entries;
  if (!outcome.plan_only && !outcome.shard_windows) {
    if (Status written = write_windows(folder, outcome, share, entries); !written) return written;
  }
  return write_plan_and_manifest(folder, outcome, std::move(entries));
}

Status join_shards(const std::string& folder, const Outcome& outcome, std::uint64_t shard_windows) {
  std::error_code error;
  std::filesystem::remove(concat(folder, "/", kManifestName), error);  // it tells of shards
  const std::uint64_t windows = outcome.plan->window_count();
  const auto arrays = make_array_store(folder, outcome.stored_as.container, windows);
  std::uint64_t cu_seqlens_before = 0;
  for (const Shard& shard : shards_of(windows, shard_windows)) {
    if (Status joined = append_shard(*arrays, folder, shard, cu_seqlens_before); !joined) return joined;
    std::filesystem::remove_all(concat(folder, "/", shard.name), error);
  }
  std::vector<ArrayEntry> entries;
  if (Status finished = arrays->finish(entries); !finished) return finished;
  return write_plan_and_manifest(folder, outcome, std::move(entries));
}

}  // namespace packscope::native
