// SPDX-License-Identifier: MIT
// What pack and plan are asked to do, and what they share on the way: from the flags to the plan and its
// report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "output/manifest.hpp"
#include "output/pending_output.hpp"
#include "packscope/plan.hpp"
#include "packscope/stats.hpp"

namespace packscope::cli {

enum class Format : std::uint8_t { folder, jsonl, sequences };

struct Target {
  std::string path;  // empty: nothing is written
  Format format = Format::folder;
  native::StoredAs stored_as;  // in a folder
  bool narrowest_ids = false;  // stored_as.ids follows from the tokens
  native::Replace replace = native::Replace::our_folders;
  native::Unfinished unfinished = native::Unfinished::remove;
  std::optional<std::uint64_t> shard_windows;

  [[nodiscard]] bool is_stream() const { return path == "-"; }
  [[nodiscard]] native::PendingOutput::Kind kind() const {
    return format == Format::folder ? native::PendingOutput::Kind::folder : native::PendingOutput::Kind::file;
  }
};

struct PackJob {
  Command command = kPack;
  std::vector<std::string> inputs;
  native::InputKind kind = native::InputKind::jsonl;
  native::ReadOptions reader;
  Options options;
  Target target;
  bool plan_only = false;
  bool stream = false;
  bool ledger_ids = false;
  bool json = false;
  bool quiet = false;
};

// Refuses what cannot be done before anything is read, and notes flags that say nothing.
Result<PackJob> pack_job_from(const Arguments& arguments, Command command);

// Settles the width of ids where it follows from the tokens. Errors where an id does not fit.
Status settle_ids(Target& target, const Options& options, const native::CorpusData& corpus);

struct Planned {
  Plan plan;
  Stats stats;
  std::vector<DocumentFate> fates;  // with ledger_ids

  // Views into all three.
  [[nodiscard]] native::Outcome outcome(const PackJob& job, const native::CorpusData& corpus) const;
};
Result<Planned> plan_job(const PackJob& job, const native::CorpusData& corpus);

struct Times {
  double read = 0;
  std::optional<double> planned = 0;  // none: in between, with the writing
  double wrote = 0;
};

// Warns of what was lost and prints the report.
void report_job(const PackJob& job, const native::Outcome& outcome, const Times& times);

}  // namespace packscope::cli
