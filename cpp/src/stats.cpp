// SPDX-License-Identifier: MIT
// stats() and StatsCounter: what windows achieve, from their segments alone.
#include "packscope/stats.hpp"

#include <algorithm>

#include "check_documents.hpp"
#include "groups.hpp"
#include "length_counts.hpp"
#include "packscope/algorithms.hpp"
#include "text.hpp"
#include "window_tally.hpp"

namespace packscope {
namespace {

std::uint64_t tokens_of(std::span<const Segment> window) {
  std::uint64_t tokens = 0;
  for (const Segment& segment : window) tokens += segment.length;
  return tokens;
}

// What the numbers rest on; validate() says the rest.
Status check_plan(const Plan& plan, const Documents& documents) {
  Documents named = documents;
  named.source_names = plan.source_names;
  if (auto status = check_documents(named, plan.options); !status) return status;
  const WindowRules rules(plan.options);
  for (const Segment& segment : plan.segments) {
    if (segment.document < documents.lengths.size() && segment.length <= rules.window) continue;
    return Error{
        ErrorCode::invalid_plan,
        concat("the plan has ", segment.length, " tokens of document ", segment.document, " in a window of ",
               rules.window, ", and ", documents.lengths.size(), " documents are given"),
        segment.document};
  }
  for (std::uint64_t w = 0; w < plan.window_count(); ++w) {
    if (tokens_of(plan.window(w)) <= rules.window) continue;
    return Error{ErrorCode::invalid_plan,
                 concat("window ", w, " holds more than its ", rules.window, " tokens")};
  }
  return {};
}

// The least number of windows for the documents of a group.
class WindowBound {
 public:
  explicit WindowBound(const Options& options)
      : rules_(options), splits_(algorithm_info(options.algorithm).splits) {}

  void add(std::span<const Segment> window) {
    if (splits_) {
      tokens_ += tokens_of(window);
      return;
    }
    // With separator=between the planner counts the separator that the last segment goes without.
    for (std::size_t i = 0; i < window.size(); ++i) {
      const bool unwritten = rules_.between && i + 1 == window.size();
      const std::uint32_t size = rules_.positions(window[i].length) + (unwritten ? 1 : 0);
      sizes_.add(std::min(size, rules_.capacity));
    }
  }

  [[nodiscard]] std::uint64_t windows() const {
    if (splits_) return (tokens_ + rules_.window - 1) / rules_.window;
    return martello_toth_bound(sizes_.counts(), rules_.capacity);
  }

 private:
  WindowRules rules_;
  bool splits_;
  std::uint64_t tokens_ = 0;
  LengthCounts sizes_;
};

// Whether a token of the segment is a target. The first one is only where cross_boundary_labels lets the
// segment before it predict it.
bool has_target(const Corpus& corpus, const Options& options, const Segment& segment, bool first_predicted) {
  const WindowRules rules(options);
  const std::uint64_t start = corpus.document_offsets[segment.document];
  const auto n = static_cast<std::uint32_t>(corpus.document_offsets[segment.document + 1] - start);
  const DocumentLayout layout = rules.layout(n);
  const std::uint64_t begin = std::uint64_t{segment.document_offset} + (first_predicted ? 0 : 1);
  const std::uint64_t end = std::uint64_t{segment.document_offset} + segment.length;
  const bool begins_with_bos = rules.bos == 1 && begin == layout.first_token;
  const bool ends_with_separator = end > std::uint64_t{layout.end_token} + rules.bos && end > begin;
  if (options.separator_loss && begin < end && (begins_with_bos || ends_with_separator)) return true;

  const std::uint64_t prompt = corpus.prompt_lengths.empty() ? 0 : corpus.prompt_lengths[segment.document];
  const std::uint64_t first = std::max(
      {begin - std::min<std::uint64_t>(rules.bos, begin), prompt, std::uint64_t{layout.first_token}});
  const std::uint64_t last = std::min<std::uint64_t>(end - rules.bos, layout.end_token);
  if (corpus.loss_mask.empty()) return first < last;
  for (std::uint64_t i = first; i < last; ++i) {
    if (corpus.loss_mask[static_cast<std::size_t>(start + i)] != 0) return true;
  }
  return false;
}

std::uint64_t count_without_target(const Plan& plan, const Corpus& corpus) {
  enum : std::uint8_t { kAbsent, kWithout, kWith };
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(corpus.document_count()), kAbsent);
  for (std::uint64_t w = 0; w < plan.window_count(); ++w) {
    const std::span<const Segment> window = plan.window(w);
    for (std::size_t i = 0; i < window.size(); ++i) {
      // A gap of document_multiple parts neighbours.
      const bool follows = i > 0 && window[i - 1].length % plan.options.document_multiple == 0;
      const bool first_predicted = plan.options.cross_boundary_labels && follows;
      std::uint8_t& state = seen[window[i].document];
      if (state != kWith)
        state = has_target(corpus, plan.options, window[i], first_predicted) ? kWith : kWithout;
    }
  }
  return static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), kWithout));
}

}  // namespace

double Stats::real_token_share() const {
  const double all = static_cast<double>(real_tokens) + static_cast<double>(padding_tokens);
  return all == 0 ? 0 : static_cast<double>(real_tokens) / all;
}

struct StatsCounter::Counts {
  explicit Counts(const Options& given) : options(given), tally(given, stats) {}

  const Options& options;
  Stats stats;
  WindowTally tally;
  std::vector<WindowBound> bounds;  // by group
};

StatsCounter::StatsCounter(const Options& options) : counts_(std::make_unique<Counts>(options)) {}
StatsCounter::StatsCounter(StatsCounter&&) noexcept = default;
StatsCounter::~StatsCounter() = default;

void StatsCounter::add(std::span<const Segment> window, std::uint32_t group) {
  Counts& counts = *counts_;
  for (const Segment& segment : window) counts.tally.add_segment(segment.length);
  counts.tally.end_window();
  while (counts.bounds.size() <= group) counts.bounds.emplace_back(counts.options);
  counts.bounds[group].add(window);
}

Stats StatsCounter::finish() {
  for (const WindowBound& bound : counts_->bounds) counts_->stats.lower_bound += bound.windows();
  counts_->tally.finish();
  return counts_->stats;
}

Result<Stats> stats(const Plan& plan, const Documents& documents) {
  if (auto status = check_plan(plan, documents); !status) return status.error();
  const Result<SourceGroups> groups = resolve_groups(plan.options, plan.source_names);
  if (!groups) return groups.error();
  StatsCounter counter(plan.options);
  for (std::uint64_t w = 0; w < plan.window_count(); ++w) {
    const std::span<const Segment> window = plan.window(w);
    const bool has_source = !window.empty() && !documents.sources.empty();
    const std::uint32_t source = has_source ? documents.sources[window.front().document] : 0;
    counter.add(window, groups->group_of_source[source]);
  }
  return counter.finish();
}

Result<Stats> stats(const Plan& plan, const Corpus& corpus) {
  const std::vector<std::uint32_t> lengths = document_lengths(corpus);
  Result<Stats> result = stats(plan, Documents{lengths, corpus.sources, corpus.source_names, {}});
  if (!result) return result;
  if (corpus.has_tokens()) {
    const std::vector<std::uint8_t> duplicates = find_duplicates(corpus);
    result->exact_duplicates =
        static_cast<std::uint64_t>(std::count(duplicates.begin(), duplicates.end(), 1));
  }
  if (!corpus.loss_mask.empty() || !corpus.prompt_lengths.empty()) {
    result->documents_without_target = count_without_target(plan, corpus);
  }
  return result;
}

std::string percent_text(double share) {
  constexpr double kRounding = 1e-7;  // what 0.57 * 10000 lacks
  const auto hundredths = static_cast<std::uint64_t>(std::max(share, 0.0) * 10000 + kRounding);
  const std::uint64_t shown = share >= 1 ? 10000 : std::min<std::uint64_t>(hundredths, 9999);
  const std::string fraction = std::to_string(shown % 100);
  return concat(shown / 100, ".", fraction.size() == 1 ? "0" : "", fraction, "%");
}

}  // namespace packscope
