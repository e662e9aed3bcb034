// SPDX-License-Identifier: MIT
#include "pack_stream.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "message.hpp"
#include "output/array_archive.hpp"
#include "packscope/algorithms.hpp"
#include "stream/stream_folder.hpp"
#include "stream/stream_lines.hpp"
#include "stream/stream_run.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;
using native::InputKind;
using native::Outcome;

constexpr std::uint64_t kBlockBytes = 16 << 20;  // of documents that are read before they are packed

Status check_options_of_stream(const Options& options) {
  const AlgorithmInfo& algorithm = algorithm_info(options.algorithm);
  if (algorithm.kind == AlgorithmKind::offline && !options.flush_every) {
    return bad_usage("--stream writes windows while documents are read, and ", algorithm.name,
                     " packs all of them together; add --flush-every N to pack N at a time, or take an "
                     "algorithm that streams, such as best_fit");
  }
  const std::pair<bool, std::string_view> whole[] = {{options.shuffle_documents, "--shuffle-documents"},
                                                     {options.shuffle_windows, "--shuffle-windows"},
                                                     {options.drop_duplicates, "--drop-duplicates"}};
  for (const auto& [is_set, flag] : whole) {
    if (is_set) return bad_usage(flag, " needs all documents before the first window; leave out --stream");
  }
  return {};
}

// The output of a stream, from its first window to its name.
class StreamTarget {
 public:
  static Result<StreamTarget> open(const PackJob& job) {
    StreamTarget opened;
    const Result<std::uint64_t> together = windows_together(job);
    if (!together) return together.error();
    const Target& target = job.target;
    if (target.path.empty()) {
      opened.output_ = std::make_unique<native::StreamNowhere>();
      return opened;
    }
    if (Status begun = opened.begin(job, *together); !begun) return begun.error();
    return opened;
  }

  [[nodiscard]] native::StreamOutput& output() { return *output_; }

  Status finish(const Outcome& outcome) {
    if (folder_ != nullptr) {
      if (Status finished = folder_->finish(outcome); !finished) return finished;
    }
    if (file_) {
      if (Status closed = file_->close(); !closed) return closed;
    }
    return pending_ ? pending_->commit() : Status();
  }

 private:
  static Result<std::uint64_t> windows_together(const PackJob& job) {
    if (job.plan_only || job.target.path.empty()) return native::kWindowsWithoutArrays;
    return native::windows_in(native::kRangeBytes, job.options, {});
  }

  Status begin(const PackJob& job, std::uint64_t together) {
    const Target& target = job.target;
    if (!target.is_stream()) {
      Result<native::PendingOutput> pending = native::PendingOutput::create(
          target.path, target.kind(), job.inputs, target.replace, target.unfinished);
      if (!pending) return pending.error();
      pending_.emplace(*std::move(pending));
    }
    return target.format == Format::folder ? begin_folder(job, together) : begin_lines(job, together);
  }

  Status begin_folder(const PackJob& job, std::uint64_t together) {
    Planned nothing;
    nothing.plan.options = job.options;
    const native::CorpusData corpus;
    auto folder =
        native::StreamFolder::create(pending_->path().string(), nothing.outcome(job, corpus), together);
    if (!folder) return folder.error();
    folder_ = folder->get();
    output_ = *std::move(folder);
    return {};
  }

  Status begin_lines(const PackJob& job, std::uint64_t together) {
    Result<native::FileWriter> file = pending_ ? native::FileWriter::create(pending_->path().string())
                                               : native::FileWriter::standard_output();
    if (!file) return file.error();
    file_ = std::make_unique<native::FileWriter>(*std::move(file));
    output_ = std::make_unique<native::StreamLines>(*file_, together, job.plan_only);
    return {};
  }

  std::optional<native::PendingOutput> pending_;
  std::unique_ptr<native::FileWriter> file_;
  std::unique_ptr<native::StreamOutput> output_;
  native::StreamFolder* folder_ = nullptr;  // the output, if it is one
};

}  // namespace

Status check_stream(const PackJob& job) {
  if (Status fit = check_options_of_stream(job.options); !fit) return fit;
  if (job.kind == InputKind::histogram || job.kind == InputKind::corpus) {
    return bad_usage("--stream packs documents while they are read, and ", native::input_kind_name(job.kind),
                     " input is read at once; leave out --stream");
  }
  const Target& target = job.target;
  const native::Container container = target.stored_as.container;
  if (native::archive_layout(container) != nullptr) {
    return bad_usage("--format ", native::container_name(container),
                     " begins with the number of windows, which --stream does not know ",
                     "before the end; use --format npy or megatron, or leave out --stream");
  }
  if (target.format == Format::sequences) {
    return bad_usage(
        "--format sequences keeps the records of all documents; use --format jsonl, or leave out ",
        "--stream");
  }
  if (target.narrowest_ids) {
    return bad_usage("--input-ids-dtype auto looks at all tokens first; name int32 or uint16, or leave out ",
                     "--stream");
  }
  if (job.ledger_ids)
    return bad_usage("--ledger-ids looks at the whole plan; leave it out, or leave out --stream");
  return {};
}

Result<int> pack_as_stream(PackJob job) {
  const Stopwatch whole;
  Result<StreamTarget> target = StreamTarget::open(job);
  if (!target) return target.error();
  const auto created = native::StreamRun::create(
      {job.options, job.reader.threads, job.reader.token_memory.folder}, target->output());
  if (!created) return created.error();
  native::StreamRun& run = **created;

  double packing = 0;
  job.reader.token_memory.bytes = std::min(job.reader.token_memory.bytes, kBlockBytes);
  job.reader.take_documents = [&](const native::CorpusData& read) {
    const Stopwatch taking;
    Status taken = run.take(read);
    packing += taking.seconds();
    return taken;
  };
  const Result<native::CorpusData> corpus = read_documents(job.inputs, job.reader, job.options, job.quiet);
  if (!corpus) return corpus.error();
  tell_repairs(*corpus, Talk(job.quiet));

  Result<native::StreamResult> result = run.finish(*corpus);
  if (!result) return result.error();
  const Planned planned{std::move(result->plan), result->stats, {}};
  Outcome outcome = planned.outcome(job, *corpus);
  outcome.fingerprint = result->fingerprint;
  if (Status finished = target->finish(outcome); !finished) return finished.error();
  const double seconds = whole.seconds();
  report_job(job, outcome, {.read = seconds - packing, .planned = std::nullopt, .wrote = packing});
  return kDone;
}

}  // namespace packscope::cli
