// SPDX-License-Identifier: MIT
// The registry of algorithms: command line, menus, docs, tests and benchmarks are made from it.
#pragma once

#include <span>
#include <string_view>

#include "packscope/options.hpp"

namespace packscope {

enum class AlgorithmKind : std::uint8_t { baseline, streaming, offline };

struct AlgorithmInfo {
  Algorithm algorithm;
  std::string_view name;   // "best_fit_decreasing"
  std::string_view title;  // "Best-fit decreasing"
  AlgorithmKind kind;
  bool splits;               // may cut documents shorter than the window
  std::string_view options;  // options it reads beyond the common ones, comma separated
  std::string_view rule;     // one or two plain sentences
  std::string_view complexity;
  std::string_view guarantee;  // of windows against the optimum, or of what it never does
  std::string_view use;        // when to take it
  std::string_view source;     // citation
};

std::span<const AlgorithmInfo> algorithms();  // in order of Algorithm
const AlgorithmInfo& algorithm_info(Algorithm algorithm);
std::string_view algorithm_kind_name(AlgorithmKind kind);

}  // namespace packscope
