// SPDX-License-Identifier: MIT
#include "folder_writer.hpp"

#include <algorithm>

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

// A batch counts its cu_seqlens from 0: on disk they go on from range to range, and the end of one is
// the beginning of the next, written once.
void continue_offsets(std::vector<std::uint64_t>& offsets, std::uint64_t base, bool first_range) {
  for (std::uint64_t& offset : offsets) offset += base;
  if (!first_range && !offsets.empty()) offsets.erase(offsets.begin());
}

Status write_windows(FolderWriter& writer, const Outcome& outcome, const WriteProgress& progress) {
  const Plan& plan = *outcome.plan;
  const Corpus corpus = outcome.corpus->view();
  const std::uint64_t windows = plan.window_count();
  const Result<std::uint64_t> step = windows_in(kRangeBytes, plan.options, corpus);
  if (!step) return step.error();
  Batch batch;
  std::uint64_t cu_seqlens_written = 0;
  std::uint64_t first = 0;
  do {
    const WindowRange range{first, std::min(windows, first + *step)};
    if (Status made = materialize_into(batch, plan, corpus, range); !made) return made;
    continue_offsets(batch.cu_seqlens_offsets, cu_seqlens_written, first == 0);
    cu_seqlens_written += batch.cu_seqlens.size();
    if (Status appended = writer.append(batch_arrays(batch, plan, outcome.corpus->tokens_known)); !appended) {
      return appended;
    }
    first = range.last;
    if (progress) progress(first, windows);
  } while (first < windows);
  return {};
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

}  // namespace

Status write_folder(const std::string& folder, const Outcome& outcome, const WriteProgress& progress) {
  std::vector<ArrayEntry> entries;
  if (!outcome.plan_only) {
    FolderWriter batches(folder);
    if (Status written = write_windows(batches, outcome, progress); !written) return written;
    if (Status finished = batches.finish(entries); !finished) return finished;
  }
  FolderWriter plan(folder);
  if (Status written = plan.append(PlanArrays(*outcome.plan).views()); !written) return written;
  if (Status finished = plan.finish(entries); !finished) return finished;

  if (outcome.fates != nullptr) {
    if (Status written = write_fates(join_parts(folder, "/ledger.jsonl"), *outcome.fates); !written)
      return written;
  }

  Result<FileWriter> manifest = FileWriter::create(join_parts(folder, "/", kManifestName));
  if (!manifest) return manifest.error();
  if (Status written = manifest->write(manifest_text(outcome, entries)); !written) return written;
  return manifest->close();
}

}  // namespace packscope::native
