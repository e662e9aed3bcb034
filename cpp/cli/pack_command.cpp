// SPDX-License-Identifier: MIT
// packscope pack: read, plan, write, report. packscope plan: the same without a window written.
#include "command.hpp"
#include "output/batch_arrays.hpp"
#include "output/folder_writer.hpp"
#include "output/shards.hpp"
#include "output/window_writer.hpp"
#include "pack_job.hpp"
#include "pack_on_ranks.hpp"
#include "pack_stream.hpp"

namespace packscope::cli {
namespace {

using native::Outcome;

constexpr std::uint64_t kShardBytes = std::uint64_t{1} << 30;  // of arrays, where plan is not told

Status write_lines(native::FileWriter& file, Format format, const Outcome& outcome,
                   const native::WorkShare& share) {
  Status written = format == Format::sequences ? native::write_sequence_lines(file, outcome, share.progress)
                                               : native::write_window_lines(file, outcome, share);
  if (!written) return written;
  return file.close();
}

Status write_shards(const std::string& folder, const Outcome& outcome, const native::WorkShare& share) {
  const std::vector<native::Shard> shards =
      native::shards_of(outcome.plan->window_count(), *outcome.shard_windows);
  return native::write_shards(folder, shards, *outcome.plan, *outcome.corpus, outcome.stored_as, share);
}

Status write_output(const PackJob& job, const Outcome& outcome) {
  const Target& target = job.target;
  Progress shown("writing", "windows", job.quiet);
  const native::WorkShare share{outcome.reader->threads,
                                [&](std::uint64_t done, std::uint64_t total) { shown.update(done, total); }};
  if (target.is_stream()) {
    native::FileWriter file = native::FileWriter::standard_output();
    return write_lines(file, target.format, outcome, share);
  }
  Result<native::PendingOutput> pending = native::PendingOutput::create(
      target.path, target.kind(), outcome.inputs, target.replace, target.unfinished);
  if (!pending) return pending.error();
  if (target.format == Format::folder) {
    const std::string folder = pending->path().string();
    if (Status written = native::write_folder(folder, outcome, share); !written) return written;
    if (outcome.shard_windows && job.command == kPack) {
      if (Status written = write_shards(folder, outcome, share); !written) return written;
    }
    return pending->commit();
  }
  Result<native::FileWriter> file = native::FileWriter::create(pending->path().string());
  if (!file) return file.error();
  if (Status written = write_lines(*file, target.format, outcome, share); !written) return written;
  return pending->commit();
}

Result<int> run(PackJob job) {
  Times times;
  const Stopwatch reading;
  Result<native::CorpusData> corpus = read_documents(job.inputs, job.reader, job.options, job.quiet);
  if (!corpus) return corpus.error();
  tell_repairs(*corpus, Talk(job.quiet));
  if (!job.target.path.empty() && !job.plan_only) {
    const Result<std::uint64_t> in_shard = native::windows_in(kShardBytes, job.options, corpus->view());
    if (!in_shard) return in_shard.error();
    if (job.command == kPlan && !job.target.shard_windows) job.target.shard_windows = *in_shard;
  }
  if (Status fit = settle_ids(job.target, job.options, *corpus); !fit) return fit.error();
  times.read = reading.seconds();

  const Stopwatch planning;
  const Result<Planned> planned = plan_job(job, *corpus);
  if (!planned) return planned.error();
  times.planned = planning.seconds();

  const Stopwatch writing;
  const Outcome outcome = planned->outcome(job, *corpus);
  if (!job.target.path.empty()) {
    if (Status written = write_output(job, outcome); !written) return written.error();
  }
  times.wrote = writing.seconds();
  report_job(job, outcome, times);
  return kDone;
}

}  // namespace

Result<int> run_pack(const Arguments& arguments) {
  native::Ranks ranks;
  Result<PackJob> job = pack_job_from(arguments, kPack);
  if (ranks.count() > 1) return pack_on_ranks(std::move(job), ranks);
  if (!job) return job.error();
  return job->stream ? pack_as_stream(*std::move(job)) : run(*std::move(job));
}

Result<int> run_plan(const Arguments& arguments) {
  Result<PackJob> job = pack_job_from(arguments, kPlan);
  return job ? run(*std::move(job)) : Result<int>(job.error());
}

}  // namespace packscope::cli
