// SPDX-License-Identifier: MIT
// The report of a packing: for people in the terminal, and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "packscope/options.hpp"
#include "packscope/plan.hpp"
#include "packscope/stats.hpp"

namespace packscope::cli {

struct Report {
  const Options* options = nullptr;
  const Ledger* ledger = nullptr;
  const Stats* stats = nullptr;
  std::string fingerprint;
  std::string input;                 // "gsm8k_train.jsonl, text as bytes"
  std::string output;                // "out, 16 arrays"; empty: nothing was written
  std::optional<std::string> times;  // "read 12 ms, planned 3 ms, wrote 20 ms"
};

std::string report_text(const Report& report);

}  // namespace packscope::cli
