// SPDX-License-Identifier: MIT
// Writes windows as JSON lines, one object a window.
#pragma once

#include "files/file_writer.hpp"
#include "output/batch_ranges.hpp"
#include "output/manifest.hpp"

namespace packscope::native {

// One line for each window of the batch: its arrays and its segments. `arrays`: the batch's.
void append_window_lines(std::string& text, const Plan& plan, const Batch& batch,
                         const std::vector<ArrayView>& arrays);
// Its segments alone.
void append_segment_lines(std::string& text, const WindowList& list, WindowRange windows);

// The arrays of each window and its segments; with outcome.plan_only the segments alone.
Status write_window_lines(FileWriter& file, const Outcome& outcome, const WorkShare& share);

// The original records of each window as `packed_samples`. A record that the plan cuts is written as a
// slice: its lists as long as the tokens, cut alike, or input_ids where it was text. The corpus must have
// kept its records.
Status write_sequence_lines(FileWriter& file, const Outcome& outcome, const WriteProgress& progress);

// Whether records can stand for the windows of such a plan: errors name what a record cannot carry.
Status check_sequences(const Options& options, InputKind kind);

}  // namespace packscope::native
