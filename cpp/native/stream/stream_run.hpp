// SPDX-License-Identifier: MIT
// Packs documents while they are read: windows are written as they close, and only what the open ones hold
// stays in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "files/spool.hpp"
#include "input/corpus_data.hpp"
#include "packscope/pack.hpp"
#include "packscope/stats.hpp"
#include "stream/held_documents.hpp"
#include "stream/stream_output.hpp"

namespace packscope::native {

struct StreamOptions {
  Options options;
  unsigned threads = 1;
  std::string spool_folder;  // for the segments, which the fingerprint wants twice
};

// What is known when all windows have been written.
struct StreamResult {
  Plan plan;  // without windows
  Stats stats;
  std::uint64_t fingerprint = 0;
};

class StreamRun {
 public:
  // Errors: options that need all documents first. `output` must outlive this.
  static Result<std::unique_ptr<StreamRun>> create(StreamOptions options, StreamOutput& output);

  // The next documents, as a reader hands them over.
  Status take(const CorpusData& read);

  // Call once, last. `corpus`: what the reader returned.
  Result<StreamResult> finish(const CorpusData& corpus);

  StreamRun(const StreamRun&) = delete;
  StreamRun& operator=(const StreamRun&) = delete;

 private:
  StreamRun(StreamOptions asked, Packer packer, Spool offsets, Spool segments, StreamOutput& output);
  Status add_sources(const std::vector<std::string>& names);
  Status write_closed();
  void count(const WindowList& closed);
  Status spool_plan(const WindowList& closed);
  Result<std::uint64_t> fingerprint_of_all() const;

  const StreamOptions asked_;  // which the next three look at
  Packer packer_;
  StatsCounter stats_;
  HeldDocuments held_;
  Spool offsets_;
  Spool segments_;
  StreamOutput& output_;
  std::vector<std::uint32_t> lengths_;
  std::size_t sources_ = 0;      // that the packer knows
  std::uint64_t documents_ = 0;  // taken
  std::uint64_t windows_ = 0;    // written
};

}  // namespace packscope::native
