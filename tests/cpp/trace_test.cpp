// SPDX-License-Identifier: MIT
// Traces: they leave the plan alone, replay to it, and tell what really happened.
#include "packscope/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "packscope/packscope.hpp"
#include "random_case.hpp"

namespace packscope_tests {
namespace {

using packscope::Algorithm;
using packscope::kNoWindow;
using packscope::Options;
using packscope::Plan;
using packscope::Trace;
using packscope::TracedPlan;
using packscope::TraceKind;
using packscope::TraceStep;

void expect_same_windows(const packscope::WindowList& windows, const Plan& plan) {
  EXPECT_EQ(windows.segments, plan.segments);
  EXPECT_EQ(windows.window_offsets, plan.window_offsets);
}

// Every window opens before anything happens to it, ends once, and never has more room than before.
void expect_orderly(const Trace& trace) {
  std::map<std::uint32_t, std::uint32_t> room_of_open;
  std::uint32_t opened = 0;
  for (const TraceStep& step : trace.steps) {
    if (step.window == kNoWindow) continue;
    if (step.kind == TraceKind::open) {
      ASSERT_EQ(step.window, opened++);
      room_of_open[step.window] = step.room;
      continue;
    }
    ASSERT_EQ(room_of_open.count(step.window), 1u);
    ASSERT_LE(step.room, room_of_open[step.window]);
    ASSERT_LE(step.fitting, step.candidates);
    room_of_open[step.window] = step.room;
    if (step.kind != TraceKind::place && step.kind != TraceKind::separator) room_of_open.erase(step.window);
  }
  EXPECT_TRUE(room_of_open.empty());
  EXPECT_EQ(opened, trace.plan_windows.size());
}

// Each document that goes nowhere has its step. (A tail that wrap discards holds others.)
void expect_every_document(const TracedPlan& traced) {
  const auto count = [&](TraceKind kind) {
    return static_cast<std::uint64_t>(
        std::count_if(traced.trace.steps.begin(), traced.trace.steps.end(),
                      [&](const TraceStep& step) { return step.kind == kind; }));
  };
  const packscope::Ledger& ledger = traced.plan.ledger;
  EXPECT_EQ(count(TraceKind::skip), ledger.empty_documents + ledger.duplicate_documents);
  if (traced.plan.options.tail == packscope::Tail::drop) return;
  EXPECT_EQ(count(TraceKind::drop), ledger.dropped_documents);
}

TEST(Trace, ReplaysToThePlanOfEveryAlgorithm) {
  CaseMaker maker(5);
  for (std::uint32_t round = 0; round < 60; ++round) {
    for (const packscope::AlgorithmInfo& info : packscope::algorithms()) {
      const RandomCase made = maker.make(info.algorithm, 1 + round % 40);
      SCOPED_TRACE(std::string(info.name) + " round " + std::to_string(round));
      const auto expected = packscope::pack(made.documents(), made.options);
      const auto traced = packscope::pack_traced(made.documents(), made.options);
      ASSERT_EQ(bool(traced), bool(expected));
      if (!expected) continue;
      expect_same_windows(traced->plan, *expected);
      EXPECT_EQ(traced->plan.ledger, expected->ledger);
      expect_orderly(traced->trace);
      expect_every_document(*traced);
      const auto windows = packscope::replay(traced->trace);
      ASSERT_TRUE(windows) << windows.error().message;
      expect_same_windows(*windows, *expected);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TracedPlan traced(std::vector<std::uint32_t> lengths, const Options& options) {
  packscope::Documents documents;
  documents.lengths = lengths;
  return *packscope::pack_traced(documents, options);
}

std::string told(const Trace& trace) {
  std::string text;
  for (const TraceStep& step : trace.steps) {
    text += packscope::trace_kind_name(step.kind);
    if (step.window != kNoWindow) text += " w" + std::to_string(step.window);
    if (step.length > 0) text += " d" + std::to_string(step.document) + "*" + std::to_string(step.length);
    if (step.kind == TraceKind::place) {
      text += " of " + std::to_string(step.candidates) + " fit " + std::to_string(step.fitting);
    }
    if (step.window != kNoWindow) text += " room " + std::to_string(step.room);
    text += "\n";
  }
  return text;
}

Options options_of(Algorithm algorithm, std::uint32_t context_length) {
  Options options;
  options.algorithm = algorithm;
  options.context_length = context_length;
  return options;
}

TEST(Trace, TellsWhatBestFitDid) {
  Options options = options_of(Algorithm::best_fit, 10);
  options.open_windows = 2;
  EXPECT_EQ(told(traced({6, 7, 3, 5, 0, 12, 4}, options).trace),
            "open w0 room 10\n"
            "place w0 d0*6 of 0 fit 0 room 4\n"
            "open w1 room 10\n"
            "place w1 d1*7 of 1 fit 0 room 3\n"
            "place w1 d2*3 of 2 fit 2 room 0\n"
            "close w1 room 0\n"
            "open w2 room 10\n"
            "place w2 d3*5 of 1 fit 0 room 5\n"
            "skip\n"
            "drop d5*12\n"
            "place w0 d6*4 of 2 fit 2 room 0\n"
            "close w0 room 0\n"
            "flush w2 room 5\n");
}

TEST(Trace, TellsThatAWindowMadeWay) {
  Options options = options_of(Algorithm::next_fit, 10);
  EXPECT_EQ(told(traced({6, 7}, options).trace),
            "open w0 room 10\n"
            "place w0 d0*6 of 0 fit 0 room 4\n"
            "evict w0 room 4\n"
            "open w1 room 10\n"
            "place w1 d1*7 of 0 fit 0 room 3\n"
            "flush w1 room 3\n");
}

TEST(Trace, TellsDecreasingInTheOrderOfTheTextbook) {
  EXPECT_EQ(told(traced({2, 6, 4, 6}, options_of(Algorithm::best_fit_decreasing, 10)).trace),
            "open w0 room 10\n"
            "place w0 d1*6 of 0 fit 0 room 4\n"
            "open w1 room 10\n"
            "place w1 d3*6 of 1 fit 0 room 4\n"
            "place w0 d2*4 of 2 fit 2 room 0\n"
            "close w0 room 0\n"
            "place w1 d0*2 of 1 fit 1 room 2\n"
            "flush w1 room 2\n");
}

TEST(Trace, TellsThePoolOfBestFitWrap) {
  Options options = options_of(Algorithm::best_fit_wrap, 10);
  options.candidate_pool = 2;
  EXPECT_EQ(told(traced({6, 7, 15}, options).trace),
            "join d0*6\n"
            "join d1*7\n"
            "open w0 room 10\n"
            "place w0 d1*7 of 2 fit 2 room 3\n"
            "place w0 d0*3 of 1 fit 0 room 0\n"
            "close w0 room 0\n"
            "open w1 room 10\n"
            "place w1 d2*10 of 1 fit 1 room 0\n"
            "close w1 room 0\n"
            "join d2*5\n"
            "open w2 room 10\n"
            "place w2 d2*5 of 2 fit 2 room 5\n"
            "place w2 d0*3 of 1 fit 1 room 2\n"
            "flush w2 room 2\n");
}

TEST(Trace, TellsThatWrapDiscardsItsTail) {
  Options options = options_of(Algorithm::wrap, 10);
  options.tail = packscope::Tail::drop;
  const TracedPlan made = traced({6, 7}, options);
  EXPECT_EQ(told(made.trace),
            "open w0 room 10\n"
            "place w0 d0*6 of 0 fit 0 room 4\n"
            "place w0 d1*4 of 1 fit 1 room 0\n"
            "close w0 room 0\n"
            "open w1 room 10\n"
            "place w1 d1*3 of 0 fit 0 room 7\n"
            "discard w1 room 7\n");
  EXPECT_EQ(made.trace.plan_windows, (std::vector<std::uint32_t>{0, kNoWindow}));
}

TEST(Trace, StopsRecordingAtItsLimit) {
  packscope::Documents documents;
  const std::vector<std::uint32_t> lengths(50, 3);
  documents.lengths = lengths;
  const auto made = packscope::pack_traced(documents, options_of(Algorithm::next_fit, 10), 20);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->trace.steps.size(), 20u);
  EXPECT_FALSE(made->trace.complete);
  EXPECT_EQ(made->plan.window_count(), 17u);
  const auto windows = packscope::replay(made->trace);
  ASSERT_FALSE(windows);
  EXPECT_EQ(windows.error().message,
            "the trace holds only its first 20 steps: raise max_steps, or trace fewer documents");
}

TEST(Trace, TheFirstStepsOfEveryAlgorithmAreThoseOfTheWholeTrace) {
  CaseMaker maker(6);
  for (std::uint32_t round = 0; round < 20; ++round) {
    for (const packscope::AlgorithmInfo& info : packscope::algorithms()) {
      const RandomCase made = maker.make(info.algorithm, 1 + round % 40);
      SCOPED_TRACE(std::string(info.name) + " round " + std::to_string(round));
      const auto whole = packscope::pack_traced(made.documents(), made.options);
      if (!whole) continue;
      std::vector<TraceStep> steps = whole->trace.steps;
      steps.resize(maker.number(0, static_cast<std::uint32_t>(steps.size())));
      const auto first = packscope::pack_traced(made.documents(), made.options, steps.size());
      ASSERT_TRUE(first);
      expect_same_windows(first->plan, whole->plan);
      ASSERT_EQ(first->trace.steps, steps);
      ASSERT_EQ(first->trace.complete, steps.size() == whole->trace.steps.size());
      ASSERT_EQ(first->trace.plan_windows, whole->trace.plan_windows);
    }
  }
}

TEST(Trace, RefusesStepsThatDoNotFollow) {
  Trace trace = traced({6, 3}, options_of(Algorithm::next_fit, 10)).trace;
  Trace strange_window = trace;
  strange_window.steps.back() = {TraceKind::place, 0, 0, 3, 9, 0, 0, 0};
  EXPECT_FALSE(packscope::replay(strange_window));
  Trace early_separator = trace;
  early_separator.steps.front() = {TraceKind::separator, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(packscope::replay(early_separator));
  Trace twice = trace;
  twice.plan_windows.push_back(0);
  EXPECT_FALSE(packscope::replay(twice));
}

}  // namespace
}  // namespace packscope_tests
