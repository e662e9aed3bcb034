// SPDX-License-Identifier: MIT
#include "pack_on_ranks.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "input/corpus_folder.hpp"
#include "input/read_input.hpp"
#include "materialize_step.hpp"
#include "message.hpp"
#include "output/folder_writer.hpp"

namespace packscope::cli {
namespace {

namespace fs = std::filesystem;
using native::bad_usage;
using native::Shard;

Status check_job(const PackJob& job) {
  if (job.target.path.empty() || job.target.format != Format::folder || job.plan_only) {
    return bad_usage("under mpirun pack writes a folder of arrays; use -o FOLDER, without --plan-only");
  }
  if (job.stream) {
    return bad_usage(
        "--stream is one reader that writes as it reads, which ranks cannot share; leave it out ",
        "under mpirun");
  }
  if (job.reader.limit_documents) {
    return bad_usage(
        "--limit-documents counts through all files, which no rank reads; leave it out under mpirun");
  }
  if (job.kind == native::InputKind::histogram) {
    return bad_usage("a histogram is too small to share out; pack it without mpirun");
  }
  if (std::count(job.inputs.begin(), job.inputs.end(), "-") > 0) {
    return bad_usage("ranks cannot share standard input; name files");
  }
  return {};
}

class RankedRun {
 public:
  RankedRun(PackJob job, native::Ranks& ranks) : job_(std::move(job)), ranks_(ranks) {
    job_.quiet = job_.quiet || !ranks.is_first();
  }

  Status run() {
    if (Status opened = open_output(); !opened) return opened;
    const Stopwatch reading;
    if (Status read = read_share(); !read) return read;
    ranks_.meet();
    times_.read = reading.seconds();
    const Stopwatch planning;
    if (Status planned = ranks_.is_first() ? plan() : Status(); !planned) return planned;
    ranks_.meet();
    times_.planned = planning.seconds();
    const Stopwatch writing;
    if (Status written = write_share(); !written) return written;
    ranks_.meet();
    if (Status finished = ranks_.is_first() ? finish() : Status(); !finished) return finished;
    times_.wrote = writing.seconds();
    if (ranks_.is_first()) report_job(job_, planned_->outcome(job_, corpus_), times_);
    return {};
  }

 private:
  // The first rank makes the folder that all write into.
  Status open_output() {
    std::string path;
    if (ranks_.is_first()) {
      Result<native::PendingOutput> pending = native::PendingOutput::create(
          job_.target.path, job_.target.kind(), job_.inputs, job_.target.replace, job_.target.unfinished);
      if (!pending) return pending.error();
      pending_.emplace(*std::move(pending));
      path = pending_->path().string();
    }
    ranks_.share(path);
    folder_ = path;
    return {};
  }

  [[nodiscard]] fs::path corpora() const { return folder_ / ".corpora"; }

  // Files in the order given, about as many to each rank.
  [[nodiscard]] std::vector<std::string> share_of(int rank) const {
    const auto edge = [&](int of) {
      const std::size_t files = job_.inputs.size();
      return static_cast<std::ptrdiff_t>(files * static_cast<std::size_t>(of) /
                                         static_cast<std::size_t>(ranks_.count()));
    };
    return {job_.inputs.begin() + edge(rank), job_.inputs.begin() + edge(rank + 1)};
  }

  [[nodiscard]] std::string corpus_of(int rank) const { return (corpora() / std::to_string(rank)).string(); }

  // The corpora of all ranks that had files, in the order of the files.
  [[nodiscard]] std::vector<std::string> corpus_folders() const {
    std::vector<std::string> folders;
    for (int rank = 0; rank < ranks_.count(); ++rank) {
      if (!share_of(rank).empty()) folders.push_back(corpus_of(rank));
    }
    return folders;
  }

  Status read_share() {
    const std::vector<std::string> files = share_of(ranks_.rank());
    if (files.empty()) return {};
    Result<native::CorpusData> corpus = read_with_progress(files, job_.reader, job_.options, job_.quiet);
    if (!corpus) return corpus.error();
    std::error_code error;
    fs::remove_all(corpus_of(ranks_.rank()), error);  // of a run that is resumed
    if (!fs::create_directories(corpus_of(ranks_.rank()), error)) {
      return Error{ErrorCode::io_error,
                   concat("cannot write ", corpus_of(ranks_.rank()), ": ", error.message())};
    }
    return native::write_corpus(corpus_of(ranks_.rank()), *corpus, files);
  }

  [[nodiscard]] native::ReadOptions corpus_reader() const {
    native::ReadOptions reader;
    reader.input = native::InputKind::corpus;
    reader.threads = job_.reader.threads;
    return reader;
  }

  Status plan() {
    native::ReadOptions reader = corpus_reader();
    reader.lengths_only =
        job_.target.shard_windows && lengths_suffice(job_.options) && !job_.target.narrowest_ids;
    Result<native::CorpusData> corpus = native::read_input(corpus_folders(), reader, {});
    if (!corpus) return corpus.error();
    corpus_ = *std::move(corpus);
    tell_repairs(corpus_, Talk(job_.quiet));
    if (Status fit = settle_ids(job_.target, job_.options, corpus_); !fit) return fit;
    Result<Planned> planned = plan_job(job_, corpus_);
    if (!planned) return planned.error();
    planned_.emplace(*std::move(planned));
    // Where the output has no shards, they are joined at the end.
    native::Outcome outcome = planned_->outcome(job_, corpus_);
    outcome.shard_windows = job_.target.shard_windows.value_or(windows_for_each_rank());
    return native::write_folder(folder_.string(), outcome, {});
  }

  [[nodiscard]] std::uint64_t windows_for_each_rank() const {
    const auto ranks = static_cast<std::uint64_t>(ranks_.count());
    return std::max<std::uint64_t>(1, (planned_->plan.window_count() + ranks - 1) / ranks);
  }

  // Every count-th shard.
  Status write_share() {
    Result<native::PackedFolder> packed = native::read_packed_folder(folder_.string());
    if (!packed) return packed.error();
    const std::vector<Shard> all =
        native::shards_of(packed->plan.window_count(), *packed->manifest.shard_windows);
    std::vector<Shard> mine;
    for (std::size_t i = static_cast<std::size_t>(ranks_.rank()); i < all.size();
         i += static_cast<std::size_t>(ranks_.count())) {
      mine.push_back(all[i]);
    }
    const Result<std::uint64_t> written =
        materialize_shards(folder_.string(), *packed, mine, corpus_folders(), corpus_reader(), job_.quiet);
    return written ? Status() : Status(written.error());
  }

  Status finish() {
    std::error_code error;
    fs::remove_all(corpora(), error);
    if (!job_.target.shard_windows) {
      const native::Outcome outcome = planned_->outcome(job_, corpus_);
      Status joined = native::join_shards(folder_.string(), outcome, windows_for_each_rank());
      if (!joined) return joined;
    }
    return pending_->commit();
  }

  PackJob job_;
  native::Ranks& ranks_;
  fs::path folder_;
  std::optional<native::PendingOutput> pending_;  // on the first rank
  native::CorpusData corpus_;                     // there too; its lengths
  std::optional<Planned> planned_;
  Times times_;
};

void tell_error(const Error& error, int rank) {
  print(stderr, concat("packscope: rank ", rank, ": ", error_code_name(error.code), ": ",
                       printable(error.message), "\n"));
}

}  // namespace

Result<int> pack_on_ranks(Result<PackJob> job, native::Ranks& ranks) {
  Status done = job ? check_job(*job) : Status(job.error());
  if (!done) {  // the same on every rank
    if (ranks.is_first()) tell_error(done.error(), 0);
    return exit_code(done.error());
  }
  done = RankedRun(*std::move(job), ranks).run();
  if (done) return kDone;
  tell_error(done.error(), ranks.rank());
  native::abandon_pending_output();
  ranks.end_all(exit_code(done.error()));
}

}  // namespace packscope::cli
