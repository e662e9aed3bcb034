// SPDX-License-Identifier: MIT
#include "planner.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "algorithms/tail_block.hpp"
#include "packscope/algorithms.hpp"
#include "pieces.hpp"
#include "text.hpp"

namespace packscope {
namespace {

constexpr std::size_t kNoLane = SIZE_MAX;

void pack_offline(const DocumentSet& documents, Run& run) {
  switch (run.options.algorithm) {
    case Algorithm::first_fit_decreasing:
      return pack_first_fit_decreasing(documents, run);
    case Algorithm::best_fit_decreasing:
      return pack_best_fit_decreasing(documents, run);
    case Algorithm::first_fit_shuffle:
      return pack_first_fit_shuffle(documents, run);
    default:
      assert(false && "a streaming algorithm");
  }
}

}  // namespace

Planner::Planner(const Options& options, std::span<const std::string> source_names, SourceGroups groups,
                 PackScratch& scratch, TraceRecorder* trace, Executor* executor)
    : options_(options),
      source_names_(source_names.begin(), source_names.end()),
      ledger_(std::max<std::size_t>(source_names.size(), 1)),
      random_(options.seed),
      run_{options_, WindowRules(options_), ledger_, windows_, random_, scratch, trace, executor},
      groups_(std::move(groups)),
      lane_of_group_(groups_.count, kNoLane) {}

Result<std::unique_ptr<Planner>> Planner::create(const Options& options,
                                                 std::span<const std::string> source_names,
                                                 PackScratch& scratch, TraceRecorder* trace,
                                                 Executor* executor) {
  if (auto status = check_options(options); !status) return status.error();
  Result<SourceGroups> groups = resolve_groups(options, source_names);
  if (!groups) return groups.error();
  return std::unique_ptr<Planner>(
      new Planner(options, source_names, std::move(*groups), scratch, trace, executor));
}

bool Planner::streaming() const { return algorithm_info(options_.algorithm).kind != AlgorithmKind::offline; }

std::uint64_t Planner::documents_per_flush() const { return options_.flush_every.value_or(UINT64_MAX); }

Status Planner::check(const Documents& documents, std::uint32_t first_document,
                      const LengthTotals& totals) const {
  Documents named = documents;
  named.source_names = source_names_;
  if (auto status = check_documents(named, options_, first_document, totals); !status) return status;
  if (options_.drop_duplicates && documents.duplicates.empty() && !documents.lengths.empty()) {
    return invalid_option(
        "drop_duplicates needs the documents' tokens: pass find_duplicates() as duplicates");
  }
  if (auto status = check_segment_count(documents.lengths.size(), totals.tokens); !status) return status;
  const DocumentSet in_order{documents.lengths, documents.sources, documents.duplicates, {}, first_document};
  return refuse_long_documents(in_order, options_);
}

Status Planner::add_source(const std::string& name) {
  if (source_names_.empty()) groups_ = {};  // of the one source without a name
  if (Status added = groups_.add(options_, name); !added) return added;
  source_names_.push_back(name);
  ledger_.resize(source_names_.size());
  lane_of_group_.resize(groups_.count, kNoLane);
  return {};
}

// A document makes a segment, and one more for each window it fills or is cut by.
std::uint64_t Planner::most_segments(std::uint64_t documents, std::uint64_t tokens) const {
  return documents + tokens / run_.rules.window;
}

// Their memory must be addressable.
Status Planner::check_segment_count(std::uint64_t documents, std::uint64_t tokens) const {
  const std::uint64_t segments = most_segments(documents, tokens);
  if (segments <= static_cast<std::uint64_t>(PTRDIFF_MAX) / sizeof(Segment)) return {};
  return Error{ErrorCode::too_large,
               concat("the plan may have ", segments,
                      " segments, more than memory can address; use a longer context_length or "
                      "pack in several runs")};
}

std::size_t Planner::lane_of(std::uint32_t source) {
  std::size_t& lane = lane_of_group_[groups_.group_of_source[source]];
  if (lane == kNoLane) {
    lane = lanes_.size();
    lanes_.push_back(make_streaming(options_.algorithm, run_));
  }
  return lane;
}

void Planner::prepare(WindowList&& memory, std::size_t documents, const LengthTotals& totals) {
  const bool cuts =
      algorithm_info(options_.algorithm).splits || run_.rules.long_documents == LongDocuments::split;
  const std::uint64_t segments = cuts ? most_segments(documents, totals.tokens) : documents;
  const std::uint64_t windows = std::min(segments, totals.tokens / run_.rules.window);
  windows_ = std::move(memory);
  windows_.segments.clear();
  windows_.segments.reserve(static_cast<std::size_t>(segments) + kTailMargin);
  windows_.window_offsets.clear();
  windows_.window_offsets.reserve(static_cast<std::size_t>(windows) + kTailMargin);
  windows_.window_offsets.push_back(0);
}

void Planner::count_in(const Documents& documents, const LengthTotals& totals) {
  if (documents.sources.empty()) {
    ledger_.front().documents += documents.lengths.size();
    ledger_.front().tokens += totals.tokens;
    return;
  }
  for (std::size_t i = 0; i < documents.lengths.size(); ++i) {
    Ledger& row = ledger_[documents.sources[i]];
    ++row.documents;
    row.tokens += documents.lengths[i];
  }
}

void Planner::push(const DocumentSet& documents) {
  for (std::size_t first = 0; first < documents.size();) {
    const std::uint64_t until_flush = documents_per_flush() - documents_since_flush_;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(documents.size() - first, until_flush));
    push_to_lanes(documents, first, first + count);
    first += count;
    documents_since_flush_ += count;
    if (documents_since_flush_ == documents_per_flush()) flush();
  }
}

void Planner::push_to_lanes(const DocumentSet& documents, std::size_t first, std::size_t last) {
  if (options_.homogeneity == Homogeneity::none) return lanes_[lane_of(0)]->push(documents, first, last);
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t lane = lane_of(documents.source(documents.index(i)));
    if (run_.trace != nullptr) run_.trace->enter(lane);
    lanes_[lane]->push(documents, i, i + 1);
  }
}

void Planner::flush() {
  if (run_.trace != nullptr) run_.trace->set_flushing(true);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (run_.trace != nullptr) run_.trace->enter(lane);
    lanes_[lane]->flush();
  }
  if (run_.trace != nullptr) run_.trace->set_flushing(false);
  documents_since_flush_ = 0;
}

void Planner::plan(const DocumentSet& documents) {
  if (options_.homogeneity == Homogeneity::none) {
    return pack_offline(documents, run_);
  }
  // Groups in the order of their first documents here.
  std::vector<std::vector<std::uint32_t>> by_group;
  std::vector<std::size_t> place_of_group(lane_of_group_.size(), kNoLane);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::uint32_t index = documents.index(i);
    std::size_t& place = place_of_group[groups_.group_of_source[documents.source(index)]];
    if (place == kNoLane) {
      place = by_group.size();
      by_group.emplace_back();
    }
    by_group[place].push_back(index);
  }
  for (const std::vector<std::uint32_t>& indices : by_group) {
    DocumentSet of_group = documents;
    of_group.order = indices;
    pack_offline(of_group, run_);
  }
}

void Planner::finish() {
  flush();
  if (options_.shuffle_windows) shuffle_windows();
  add_fillers();
}

std::vector<std::uint32_t> Planner::shuffled_order(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  shuffle(std::span(order), random_);
  return order;
}

void Planner::shuffle_windows() {
  std::vector<std::uint64_t> order(windows_.window_count());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  shuffle(std::span(order), random_);
  if (run_.trace != nullptr) run_.trace->shuffle(order);
  WindowList shuffled;
  shuffled.segments.reserve(windows_.segments.size());
  shuffled.window_offsets.reserve(windows_.window_offsets.size());
  for (const std::uint64_t index : order) {
    const std::span<const Segment> window = windows_.window(index);
    shuffled.segments.insert(shuffled.segments.end(), window.begin(), window.end());
    shuffled.window_offsets.push_back(shuffled.segments.size());
  }
  windows_ = std::move(shuffled);
}

void Planner::add_fillers() {
  const std::uint64_t extra = (windows_taken_ + windows_.window_count()) % options_.window_multiple;
  if (extra == 0) return;
  filler_windows_ = options_.window_multiple - extra;
  windows_.window_offsets.resize(windows_.window_offsets.size() + filler_windows_, windows_.segments.size());
}

// Segments after the last window belong to one that is still open: they stay.
WindowList Planner::take_windows() {
  windows_taken_ += windows_.window_count();
  const auto closed = static_cast<std::ptrdiff_t>(windows_.window_offsets.back());
  WindowList open;
  open.segments.assign(windows_.segments.begin() + closed, windows_.segments.end());
  windows_.segments.resize(static_cast<std::size_t>(closed));
  return std::exchange(windows_, std::move(open));
}

Plan Planner::take_plan() {
  Plan plan;
  static_cast<WindowList&>(plan) = take_windows();
  plan.options = options_;
  plan.source_names = source_names_;
  plan.ledger_by_source = ledger_;
  for (const Ledger& row : ledger_) plan.ledger += row;
  plan.ledger.filler_windows = filler_windows_;
  return plan;
}

}  // namespace packscope
