// SPDX-License-Identifier: MIT
// What a plan achieved: windows, padding, attention cost, and how far from the best possible.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "packscope/corpus.hpp"
#include "packscope/plan.hpp"

namespace packscope {

struct DocumentsPerWindow {  // over windows that hold documents
  std::uint64_t min = 0;
  std::uint64_t p50 = 0;
  std::uint64_t p95 = 0;
  std::uint64_t max = 0;
  double mean = 0;
};

struct Stats {
  std::uint64_t windows = 0;  // filler windows included
  std::uint64_t filler_windows = 0;
  std::uint64_t segments = 0;
  std::uint64_t real_tokens = 0;     // tokens in windows, separators included
  std::uint64_t padding_tokens = 0;  // positions without a token, filler windows left out
  std::uint64_t lower_bound =
      0;  // no plan has fewer windows: the larger of tokens / window and Martello-Toth's L2
  std::uint64_t sum_squared_lengths = 0;  // over segments, as stored
  std::uint64_t attention_pairs = 0;      // query-key pairs of the causal document mask, real tokens
  std::uint64_t causal_pairs = 0;         // the same without the document rule, padding included
  DocumentsPerWindow documents_per_window;
  std::optional<std::uint64_t> exact_duplicates;          // where the tokens are known
  std::optional<std::uint64_t> documents_without_target;  // where a loss mask or prompts are known

  // real_tokens / (real_tokens + padding_tokens); 0 for an empty plan.
  [[nodiscard]] double real_token_share() const;
  // Windows above the lower bound, filler windows left out.
  [[nodiscard]] std::uint64_t gap() const { return windows - filler_windows - lower_bound; }
};

Result<Stats> stats(const Plan& plan, const Documents& documents);

// The same numbers where windows come one after the other and no plan holds them all.
class StatsCounter {
 public:
  // `options` must outlive this.
  explicit StatsCounter(const Options& options);
  StatsCounter(StatsCounter&&) noexcept;
  ~StatsCounter();

  // A window as the options plan it. `group`: of its documents, as Packer::group_of has it.
  void add(std::span<const Segment> window, std::uint32_t group);

  // Call once, last.
  Stats finish();

 private:
  struct Counts;
  std::unique_ptr<Counts> counts_;
};

// Also counts duplicates and documents without a target.
Result<Stats> stats(const Plan& plan, const Corpus& corpus);

// "99.97%": rounded down, so never 100% of less than all.
std::string percent_text(double share);

}  // namespace packscope
