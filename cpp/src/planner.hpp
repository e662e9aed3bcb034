// SPDX-License-Identifier: MIT
// Runs one algorithm over documents as they come: groups, flushes, the ledger, and what happens to the
// windows at the end.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "check_documents.hpp"
#include "groups.hpp"
#include "packscope/corpus.hpp"
#include "packscope/result.hpp"
#include "trace_recorder.hpp"

namespace packscope {

class Planner {
 public:
  // Checks the options and that every source has a group.
  static Result<std::unique_ptr<Planner>> create(const Options& options,
                                                 std::span<const std::string> source_names,
                                                 PackScratch& scratch, TraceRecorder* trace = nullptr,
                                                 Executor* executor = nullptr);

  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] bool streaming() const;

  // Documents an offline algorithm plans at once.
  [[nodiscard]] std::uint64_t documents_per_flush() const;

  // check_documents, and that these options can plan them. `documents` in order, numbered from
  // first_document, `totals` their length_totals.
  Status check(const Documents& documents, std::uint32_t first_document, const LengthTotals& totals) const;

  // Sources are numbered in the order of their names. Error: it is in no group.
  Status add_source(const std::string& name);
  [[nodiscard]] std::uint32_t group_of(std::uint32_t source) const { return groups_.group_of_source[source]; }

  // Memory to use again, with room for the segments of so many documents. Before the first document.
  void prepare(WindowList&& memory, std::size_t documents, const LengthTotals& totals);

  // Counts checked documents, whatever becomes of them; `totals` are their length_totals. Before they are
  // planned.
  void count_in(const Documents& documents, const LengthTotals& totals);

  // Streaming algorithms: plans checked `documents`, flushing where flush_every says so.
  void push(const DocumentSet& documents);

  // Offline algorithms: plans checked `documents` as one flush.
  void plan(const DocumentSet& documents);

  // Empties every group; then shuffles windows and adds fillers as the options say.
  void finish();

  // [count] indices in an order shuffled with this run's random numbers.
  std::vector<std::uint32_t> shuffled_order(std::size_t count);

  WindowList take_windows();
  Plan take_plan();

 private:
  Planner(const Options& options, std::span<const std::string> source_names, SourceGroups groups,
          PackScratch& scratch, TraceRecorder* trace, Executor* executor);
  std::size_t lane_of(std::uint32_t source);
  Status check_segment_count(std::uint64_t documents, std::uint64_t tokens) const;
  [[nodiscard]] std::uint64_t most_segments(std::uint64_t documents, std::uint64_t tokens) const;
  void push_to_lanes(const DocumentSet& documents, std::size_t first, std::size_t last);
  void flush();
  void shuffle_windows();
  void add_fillers();

  Options options_;
  std::vector<std::string> source_names_;
  std::vector<Ledger> ledger_;  // by source
  WindowList windows_;          // and after them the segments of an open one
  Random random_;
  Run run_;

  // Streaming: groups that have been met get a lane, in the order of their first documents.
  SourceGroups groups_;
  std::vector<std::size_t> lane_of_group_;
  std::vector<std::unique_ptr<StreamingAlgorithm>> lanes_;

  std::uint64_t documents_since_flush_ = 0;
  std::uint64_t windows_taken_ = 0;
  std::uint64_t filler_windows_ = 0;
};

}  // namespace packscope
