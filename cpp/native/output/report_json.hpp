// SPDX-License-Identifier: MIT
// Ledger, stats and options as JSON, the same in manifests and in the program's --json.
#pragma once

#include <string>
#include <string_view>

#include "files/json_writer.hpp"
#include "input/line_reader.hpp"
#include "packscope/plan.hpp"
#include "packscope/stats.hpp"

namespace packscope::native {

void write_ledger(JsonWriter& json, const Ledger& ledger);
// {"alpaca": {...}, ...}, or {} where sources are not known.
void write_ledger_by_source(JsonWriter& json, const Plan& plan);
void write_stats(JsonWriter& json, const Stats& stats);
// Every option by name, numbers as numbers; null where one is off.
void write_options(JsonWriter& json, const Options& options);
void write_repairs(JsonWriter& json, const Repairs& repairs);

// What cu_seqlens covers, in words.
std::string cu_seqlens_text(const Options& options);

}  // namespace packscope::native
