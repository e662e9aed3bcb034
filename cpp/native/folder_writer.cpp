// SPDX-License-Identifier: MIT
#include "folder_writer.hpp"

#include <filesystem>

#include "array_folder.hpp"
#include "durable.hpp"
#include "json_writer.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kRangeBytes = 16 << 20;  // of arrays in a piece of work

Status write_windows(const std::string& folder, const Outcome& outcome, const WorkShare& share,
                     std::vector<ArrayEntry>& entries) {
  ArrayFolder batches(folder);
  const auto append = [&](const WindowRange&, const std::vector<ArrayView>& arrays) {
    return batches.append(arrays);
  };
  const WindowRange all{0, outcome.plan->window_count()};
  Status written = for_each_range(*outcome.plan, *outcome.corpus, all, kRangeBytes, share, append);
  return written ? batches.finish(entries) : written;
}

Status write_plan(const std::string& folder, const Plan& plan, std::vector<ArrayEntry>& entries) {
  ArrayFolder arrays(folder);
  Status written = arrays.append(PlanArrays(plan).views());
  return written ? arrays.finish(entries) : written;
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

// The manifest has its name when everything it lists is on the disk.
Status write_manifest(const std::string& folder, const std::string& text) {
  const std::string pending = concat(folder, "/.", kManifestName, ".part");
  if (Status written = write_text_file(pending, text); !written) return written;
  return move_durably(pending, concat(folder, "/", kManifestName));
}

// Shards that stand in the folder already are of this outcome only if its manifest is the same.
Status check_unfinished(const std::string& folder, const std::string& text) {
  const std::string path = concat(folder, "/", kManifestName);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return {};
  Result<ByteSource> source = ByteSource::open(path);
  if (!source) return source.error();
  Result<std::string> earlier = read_all(*source, {});
  if (!earlier) return earlier.error();
  if (*earlier == text) return {};
  return bad_usage(
      "the unfinished output ", folder,
      " was made of other input or with other options; repeat that command, or leave --resume out to "
      "start anew");
}

}  // namespace

Status write_folder(const std::string& folder, const Outcome& outcome, const WorkShare& share) {
  std::vector<ArrayEntry> entries;
  if (!outcome.plan_only && !outcome.shard_windows) {
    if (Status written = write_windows(folder, outcome, share, entries); !written) return written;
  }
  if (Status written = write_plan(folder, *outcome.plan, entries); !written) return written;
  if (outcome.fates != nullptr) {
    Status written = write_fates(concat(folder, "/", kLedgerName), *outcome.fates);
    if (!written) return written;
  }
  const std::string manifest = manifest_text(outcome, entries);
  if (Status same = check_unfinished(folder, manifest); !same) return same;
  return write_manifest(folder, manifest);
}

}  // namespace packscope::native
