// SPDX-License-Identifier: MIT
// The decisions that led to a plan, one step each, to show and to replay. Planning without a trace pays
// nothing for it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "packscope/corpus.hpp"
#include "packscope/options.hpp"
#include "packscope/plan.hpp"
#include "packscope/result.hpp"

namespace packscope {

enum class TraceKind : std::uint8_t {
  skip,       // an empty document or a duplicate: it goes nowhere
  drop,       // a document longer than the window, with long_documents=drop
  join,       // best_fit_wrap: a document joins the pool of candidates
  open,       // a window opens
  place,      // a segment goes into a window
  separator,  // separator=between: the window's last segment gets one, as another document follows
  close,      // a window is full: too little room, or max_documents_per_window
  evict,      // a window closes to make way for the next document
  flush,      // a window closes because the input, or flush_every documents, ended
  discard,    // wrap with tail=drop: the last window is not kept
};
std::string_view trace_kind_name(TraceKind kind);  // "skip", "drop", ...

inline constexpr std::uint32_t kNoWindow = UINT32_MAX;

// Fields that a kind does not use are 0, `window` kNoWindow.
struct TraceStep {
  TraceKind kind;
  std::uint32_t document;         // skip, drop, join, place
  std::uint32_t document_offset;  // place: as in Segment
  std::uint32_t length;           // skip, drop: its tokens; join, place: with what was added to the document
  std::uint32_t window;           // in the order of opening, over all groups
  std::uint32_t room;             // positions that the window has left after the step
  std::uint32_t candidates;       // place: open windows of the group that were considered, or for
                                  // best_fit_wrap candidates in the pool
  std::uint32_t fitting;          // place: those of them that had room, or fitted
  bool operator==(const TraceStep&) const = default;
};

struct Trace {
  Options options;
  std::vector<TraceStep> steps;
  bool complete = true;                     // false: max_steps were recorded, and more were taken
  std::vector<std::uint32_t> plan_windows;  // [windows opened] its number in the plan; kNoWindow: discarded
  std::uint64_t filler_windows = 0;
};

struct TracedPlan {
  Plan plan;
  Trace trace;
};

inline constexpr std::uint64_t kDefaultTraceSteps = 100'000;

// pack(), with its trace. A step costs memory for itself and time in proportion to the windows that are open;
// those beyond max_steps next to nothing.
// Errors as pack().
Result<TracedPlan> pack_traced(const Documents& documents, const Options& options,
                               std::uint64_t max_steps = kDefaultTraceSteps);

// The windows that the steps make: those of the plan, token for token. Errors: a trace that is not complete,
// or steps that do not follow from one another.
Result<WindowList> replay(const Trace& trace);

}  // namespace packscope
