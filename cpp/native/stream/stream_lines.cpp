// SPDX-License-Identifier: MIT
#include "stream/stream_lines.hpp"

#include "output/window_writer.hpp"

namespace packscope::native {

Status StreamLines::make(ClosedWindows& windows) const {
  windows.text.clear();
  if (plan_only_) {
    append_segment_lines(windows.text, windows.plan, {0, windows.plan.window_count()});
    return {};
  }
  if (Status made = windows.materialize(IdType::int32); !made) return made;
  append_window_lines(windows.text, windows.plan, windows.stored.batch,
                      windows.stored.arrays(windows.plan, windows.tokens.known, IdType::int32));
  return {};
}

Status StreamLines::take(ClosedWindows& windows) { return file_.write(windows.text); }

}  // namespace packscope::native
