// SPDX-License-Identifier: MIT
// Any documents under any options: a plan is valid, loses no token, comes out the same from a stream and from
// its trace, and gives arrays that agree with it.
#include <algorithm>

#include "fuzz_main.hpp"
#include "packscope/packscope.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

constexpr std::uint32_t kMaxContextLength = 400;
constexpr std::uint32_t kMaxWindowMultiple = 40;
constexpr std::size_t kMaxDocuments = 80;

struct Input {
  Options options;
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> sources;
  std::vector<std::string> source_names;
  std::vector<std::uint8_t> duplicates;

  [[nodiscard]] Corpus corpus() const {
    Corpus corpus;
    corpus.tokens = tokens;
    corpus.document_offsets = offsets;
    corpus.sources = sources;
    corpus.source_names = source_names;
    return corpus;
  }
  [[nodiscard]] Documents documents() const { return {lengths, sources, source_names, duplicates}; }
};

void choose_options(FuzzedDataProvider& data, Options& options) {
  const auto table = option_table();
  const int count = data.ConsumeIntegralInRange(0, 14);
  for (int i = 0; i < count; ++i) {
    const OptionInfo& info = table[data.ConsumeIntegralInRange<std::size_t>(0, table.size() - 1)];
    const std::uint64_t largest = data.ConsumeBool() ? 12 : 300;
    (void)set_option(options, info.name, choose_value(data, info.value, largest));
  }
  options.context_length = std::min(options.context_length, kMaxContextLength);
  options.window_multiple = std::min(options.window_multiple, kMaxWindowMultiple);
  if (options.homogeneity == Homogeneity::group && options.groups.empty()) {
    options.groups = {{"first", {"a", "b"}}, {"second", {"c"}}};
  }
}

void choose_documents(FuzzedDataProvider& data, Input& input) {
  if (data.ConsumeBool()) input.source_names = {"a", "b", "c", "d"};
  const std::uint32_t longest = data.ConsumeBool() ? 8 : 2 * input.options.context_length + 2;
  while (data.remaining_bytes() > 0 && input.lengths.size() < kMaxDocuments) {
    input.lengths.push_back(data.ConsumeIntegralInRange<std::uint32_t>(0, longest));
    if (!input.source_names.empty()) input.sources.push_back(data.ConsumeIntegralInRange(0u, 4u));
  }
  for (const std::uint32_t length : input.lengths) {
    // Few different documents, so that some repeat.
    for (std::uint32_t i = 0; i < length; ++i) input.tokens.push_back(static_cast<std::int32_t>(i % 7));
    input.offsets.push_back(input.tokens.size());
  }
}

void expect_conservation(const Plan& plan) {
  std::uint64_t in_windows = 0;
  for (const Segment& segment : plan.segments) in_windows += segment.length;
  const Ledger& ledger = plan.ledger;
  expect(ledger.tokens + ledger.separators_added == in_windows + ledger.tokens_dropped,
         "tokens in = tokens in windows - separators + dropped");
  Ledger sum;
  for (const Ledger& source : plan.ledger_by_source) sum += source;
  sum.filler_windows = ledger.filler_windows;
  expect(sum == ledger, "the ledgers of the sources add up");
}

void append(WindowList& to, const WindowList& from) {
  const std::uint64_t before = to.segments.size();
  to.segments.insert(to.segments.end(), from.segments.begin(), from.segments.end());
  for (std::size_t w = 1; w < from.window_offsets.size(); ++w) {
    to.window_offsets.push_back(before + from.window_offsets[w]);
  }
}

// The same documents in two pushes, with what has closed taken in between.
void expect_stream_agrees(const Input& input, const Plan& plan, std::size_t cut) {
  Result<Packer> packer = Packer::create(input.options, input.source_names);
  if (!packer) {
    expect(input.options.shuffle_documents || input.options.shuffle_windows, "only shuffles cannot stream");
    return;
  }
  const auto part = [](const auto& values, std::size_t from, std::size_t to) {
    return values.empty() ? std::span(values) : std::span(values).subspan(from, to - from);
  };
  const auto push = [&](std::size_t from, std::size_t to) {
    return packer->push(part(input.lengths, from, to), part(input.sources, from, to),
                        part(input.duplicates, from, to));
  };
  Plan streamed;
  streamed.options = input.options;
  expect_value(push(0, cut), "a stream takes what pack() takes");
  append(streamed, packer->take_closed());
  expect_value(push(cut, input.lengths.size()), "a stream takes what pack() takes");
  append(streamed, packer->take_closed());
  packer->finish();
  const Plan rest = packer->take_plan();
  append(streamed, rest);
  expect(fingerprint(streamed) == fingerprint(plan), "a stream gives the same windows");
  expect(rest.ledger == plan.ledger, "a stream gives the same ledger");
}

void expect_trace_agrees(const Input& input, const Plan& plan) {
  const Result<TracedPlan> traced = pack_traced(input.documents(), input.options);
  expect_value(traced, "what is planned is traced");
  expect(fingerprint(traced->plan) == fingerprint(plan), "a trace leaves the plan alone");
  const Result<WindowList> windows = replay(traced->trace);
  expect_value(windows, "a whole trace is replayed");
  Plan replayed;
  replayed.options = plan.options;
  append(replayed, *windows);
  expect(fingerprint(replayed) == fingerprint(plan), "a trace replays to the plan");
}

void expect_arrays_agree(const Input& input, const Plan& plan, std::uint64_t cut) {
  const Result<Batch> all = materialize(plan, input.corpus(), {0, plan.window_count()});
  if (!all) {
    expect_sound(all.error());
    expect(plan.options.cu_seqlens_width.has_value(), "only cu_seqlens_width refuses a plan",
           all.error().message);
    return;
  }
  const Result<Batch> first = materialize(plan, input.corpus(), {0, cut});
  const Result<Batch> second = materialize(plan, input.corpus(), {cut, plan.window_count()});
  expect(first && second, "a part of what can be materialized can be, too");
  const auto joins = [](const auto& a, const auto& b, const auto& whole) {
    return a.size() + b.size() == whole.size() && std::equal(a.begin(), a.end(), whole.begin()) &&
           std::equal(b.rbegin(), b.rend(), whole.rbegin());
  };
  expect(joins(first->input_ids, second->input_ids, all->input_ids) &&
             joins(first->labels, second->labels, all->labels) &&
             joins(first->position_ids, second->position_ids, all->position_ids) &&
             joins(first->doc_ids, second->doc_ids, all->doc_ids) &&
             joins(first->cu_seqlens, second->cu_seqlens, all->cu_seqlens),
         "ranges give the same bytes as the whole");
  for (std::size_t i = 0; i < all->labels.size(); ++i) {
    expect((all->labels[i] != kIgnoredLabel) == (all->loss_mask[i] == 1), "loss_mask is 1 where a label is");
  }
}

}  // namespace

void run(FuzzedDataProvider& data) {
  Input input;
  choose_options(data, input.options);
  const std::size_t cut = data.ConsumeIntegral<std::uint8_t>();
  choose_documents(data, input);
  const Status allowed = check_options(input.options);
  if (allowed && check_corpus(input.corpus(), input.options))
    input.duplicates = find_duplicates(input.corpus());
  const Result<Plan> plan = pack(input.documents(), input.options);
  if (!plan) return expect_sound(plan.error());
  expect(allowed.has_value(), "options that are refused are refused by pack()");
  expect_value(validate(*plan, input.documents()), "a plan is valid");
  expect_conservation(*plan);
  const Result<Stats> made = stats(*plan, input.documents());
  expect_value(made, "a plan has stats");
  expect(made->lower_bound + made->filler_windows <= made->windows,
         "no plan has fewer windows than the lower bound");
  expect_stream_agrees(input, *plan, std::min(cut, input.lengths.size()));
  expect_trace_agrees(input, *plan);
  if (!check_corpus(input.corpus(), input.options)) return;
  expect_arrays_agree(input, *plan, std::min<std::uint64_t>(cut, plan->window_count()));
}

}  // namespace packscope_fuzz
