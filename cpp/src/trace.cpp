// SPDX-License-Identifier: MIT
// pack_traced() is in pack.cpp; here is what can be done with a trace.
#include "packscope/trace.hpp"

#include <algorithm>

#include "text.hpp"

namespace packscope {
namespace {

template <class... Parts>
Error broken_step(std::size_t index, const Parts&... parts) {
  return invalid_argument("step ", index, " of the trace ", parts..., ": pass what pack_traced() returned");
}

// The windows in the order they were opened.
Result<std::vector<std::vector<Segment>>> fill_windows(const Trace& trace) {
  std::vector<std::vector<Segment>> windows(trace.plan_windows.size());
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (step.kind != TraceKind::place && step.kind != TraceKind::separator) continue;
    if (step.window >= windows.size())
      return broken_step(i, "names window ", step.window, " of ", windows.size());
    std::vector<Segment>& window = windows[step.window];
    if (step.kind == TraceKind::place) {
      window.push_back({step.document, step.document_offset, step.length});
    } else if (window.empty()) {
      return broken_step(i, "adds a separator to window ", step.window, ", which is empty");
    } else {
      ++window.back().length;
    }
  }
  return windows;
}

}  // namespace

std::string_view trace_kind_name(TraceKind kind) {
  switch (kind) {
    case TraceKind::skip:
      return "skip";
    case TraceKind::drop:
      return "drop";
    case TraceKind::join:
      return "join";
    case TraceKind::open:
      return "open";
    case TraceKind::place:
      return "place";
    case TraceKind::separator:
      return "separator";
    case TraceKind::close:
      return "close";
    case TraceKind::evict:
      return "evict";
    case TraceKind::flush:
      return "flush";
    case TraceKind::discard:
      return "discard";
  }
  return "";
}

Result<WindowList> replay(const Trace& trace) {
  if (!trace.complete) {
    return invalid_argument("the trace holds only its first ", trace.steps.size(),
                            " steps: raise max_steps, or trace fewer documents");
  }
  const auto filled = fill_windows(trace);
  if (!filled) return filled.error();
  // Where each window of the plan was opened.
  std::vector<std::uint32_t> opened_as(trace.plan_windows.size(), kNoWindow);
  std::size_t kept = 0;
  for (std::size_t opened = 0; opened < trace.plan_windows.size(); ++opened) {
    const std::uint32_t number = trace.plan_windows[opened];
    if (number == kNoWindow) continue;
    ++kept;
    if (number >= opened_as.size() || opened_as[number] != kNoWindow) {
      return invalid_argument("plan_windows of the trace gives window ", number,
                              " twice or beyond the last: pass what pack_traced() returned");
    }
    opened_as[number] = static_cast<std::uint32_t>(opened);
  }
  WindowList windows;
  for (std::size_t number = 0; number < kept; ++number) {
    if (opened_as[number] == kNoWindow) {
      return invalid_argument("plan_windows of the trace leaves out window ", number,
                              ": pass what pack_traced() returned");
    }
    const std::vector<Segment>& window = (*filled)[opened_as[number]];
    windows.segments.insert(windows.segments.end(), window.begin(), window.end());
    windows.window_offsets.push_back(windows.segments.size());
  }
  windows.window_offsets.resize(
      windows.window_offsets.size() + static_cast<std::size_t>(trace.filler_windows),
      windows.segments.size());
  return windows;
}

}  // namespace packscope
