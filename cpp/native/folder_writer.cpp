// SPDX-License-Identifier: MIT
#include "folder_writer.hpp"

#include "batch_ranges.hpp"
#include "json_writer.hpp"
#include "message.hpp"
#include "npy_writer.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kRangeBytes = 64 << 20;  // of arrays held in memory at a time

class FolderWriter {
 public:
  explicit FolderWriter(const std::string& folder) : folder_(folder) {}

  // Arrays must come in the same order every time.
  Status append(const std::vector<ArrayView>& arrays) {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (i == writers_.size()) {
        Result<NpyWriter> writer = NpyWriter::create(folder_, arrays[i]);
        if (!writer) return writer.error();
        writers_.push_back(std::move(*writer));
      }
      if (Status appended = writers_[i].append(arrays[i].values); !appended) return appended;
    }
    return {};
  }

  Status finish(std::vector<ArrayEntry>& entries) {
    for (NpyWriter& writer : writers_) {
      if (Status finished = writer.finish(); !finished) return finished;
      entries.push_back({writer.name(), writer.descr(), writer.shape()});
    }
    return {};
  }

 private:
  const std::string& folder_;
  std::vector<NpyWriter> writers_;
};

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

}  // namespace

Status write_folder(const std::string& folder, const Outcome& outcome, const WriteProgress& progress) {
  std::vector<ArrayEntry> entries;
  if (!outcome.plan_only) {
    FolderWriter batches(folder);
    const auto append = [&](const WindowRange&, const std::vector<ArrayView>& arrays) {
      return batches.append(arrays);
    };
    Status written = for_each_range(*outcome.plan, *outcome.corpus, kRangeBytes, append, progress);
    if (!written) return written;
    if (Status finished = batches.finish(entries); !finished) return finished;
  }
  FolderWriter plan(folder);
  if (Status written = plan.append(PlanArrays(*outcome.plan).views()); !written) return written;
  if (Status finished = plan.finish(entries); !finished) return finished;

  if (outcome.fates != nullptr) {
    if (Status written = write_fates(concat(folder, "/", kLedgerName), *outcome.fates); !written)
      return written;
  }

  Result<FileWriter> manifest = FileWriter::create(concat(folder, "/", kManifestName));
  if (!manifest) return manifest.error();
  if (Status written = manifest->write(manifest_text(outcome, entries)); !written) return written;
  return manifest->close();
}

}  // namespace packscope::native
