// SPDX-License-Identifier: MIT
// What the commands share: their entry points, options from flags, reading with progress, exit codes.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "input/corpus_data.hpp"
#include "input/read_options.hpp"
#include "packscope/batch.hpp"
#include "packscope/options.hpp"
#include "packscope/result.hpp"
#include "terminal.hpp"

namespace packscope::cli {

inline constexpr int kDone = 0;
inline constexpr int kBadData = 1;
inline constexpr int kBadUsage = 2;

// An error is the caller's when flags are to blame, else the data's.
int exit_code(const Error& error);

// Each runs one command; its result is the exit code.
Result<int> run_pack(const Arguments& arguments);
Result<int> run_compare(const Arguments& arguments);
Result<int> run_stats(const Arguments& arguments);
Result<int> run_verify(const Arguments& arguments);
Result<int> run_algorithms(const Arguments& arguments);
Result<int> run_show(const Arguments& arguments);
Result<int> run_mask(const Arguments& arguments);
Result<int> run_render(const Arguments& arguments);
Result<int> run_view(const Arguments& arguments);
Result<int> run_lengths(const Arguments& arguments);
Result<int> run_plan(const Arguments& arguments);
Result<int> run_materialize(const Arguments& arguments);

// Sets the core's option behind a flag. An error suggests the nearest allowed value.
Status set_flag(Options& options, const std::string& option, const std::string& value);

// The options that the flags say, over the defaults. Flags named in `except` are left to the caller.
Result<Options> options_from(const Arguments& arguments, const std::vector<std::string>& except = {});

// --windows A:B, where either may be left out, inside a folder's windows.
Result<WindowRange> windows_from(const Arguments& arguments, std::uint64_t window_count);

// --threads, as many as there are cores where it is 0 or not given.
Result<unsigned> threads_from(const Arguments& arguments);

// The reader's flags over `defaults`.
Result<native::ReadOptions> reader_from(const Arguments& arguments, native::ReadOptions defaults = {});

// Reads all inputs and checks them.
Result<native::CorpusData> read_with_progress(const std::vector<std::string>& inputs,
                                              const native::ReadOptions& reader, const Options& options,
                                              bool quiet);

// The same, with a histogram made documents.
Result<native::CorpusData> read_documents(const std::vector<std::string>& inputs,
                                          const native::ReadOptions& reader, const Options& options,
                                          bool quiet);

// Whether planning needs to know how long the documents are, and no token of theirs.
bool lengths_suffice(const Options& options);

// Notes what the reader put right or left out.
void tell_repairs(const native::CorpusData& corpus, const Talk& talk);

// Notes options that were given but that no chosen algorithm reads.
void tell_unread_options(const Arguments& arguments, const std::vector<Algorithm>& chosen, const Talk& talk);

// Refuses options that the input cannot serve, and a cu_seqlens_width that no window fills.
Status check_together(const Options& options, const native::ReadOptions& reader, native::InputKind kind);

// Notes flags about a separator where there is none.
void tell_idle_separator(const Options& options, const Arguments& arguments, const Talk& talk);

// For planning: lengths, sources and, with drop_duplicates, which documents repeat.
struct PlanInput {
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint8_t> duplicates;

  [[nodiscard]] Documents documents(const native::CorpusData& corpus) const;
};
PlanInput plan_input(const native::CorpusData& corpus, const Options& options);

}  // namespace packscope::cli
