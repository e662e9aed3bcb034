// SPDX-License-Identifier: MIT
// A stream of pieces made one after the other, worked on by several threads at the same time, and taken in
// the order they were made: the result is that of one thread, for any number of them.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "packscope/result.hpp"

namespace packscope::native {

// As many as asked for, or as the machine has cores where `asked` is 0.
unsigned thread_count(std::uint32_t asked);

// Each stage is called for one piece:
//   Result<bool> make(Piece&)   fills it; false: there was none left. A piece is handed out again and again,
//   so that
//                               its memory is.
//   Status work(Piece&)         on any thread, several pieces at the same time.
//   Status take(Piece&)         in order.
// The first error in the order of the pieces ends it all and is returned; no later piece is taken.
template <class Piece, class Make, class Work, class Take>
Status in_order(unsigned threads, const Make& make, const Work& work, const Take& take) {
  if (threads <= 1) {
    Piece piece;
    while (true) {
      Result<bool> made = make(piece);
      if (!made) return made.error();
      if (!*made) return {};
      if (Status worked = work(piece); !worked) return worked;
      if (Status taken = take(piece); !taken) return taken;
    }
  }

  struct Slot {
    Piece piece;
    Status status;
  };
  // The pipeline lets no more pieces in than there are slots, so that a slot is free when its turn comes
  // again.
  std::vector<Slot> slots(std::size_t{threads} * 2);
  std::size_t next = 0;
  bool last = false;
  std::atomic<bool> stopped = false;
  Status result;

  namespace tbb = oneapi::tbb;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const auto first = [&](tbb::flow_control& control) -> Slot* {
    Slot& slot = slots[next++ % slots.size()];
    if (!last && !stopped) {
      Result<bool> made = make(slot.piece);
      slot.status = made ? Status() : Status(made.error());
      last = !made;
      if (!made || *made) return &slot;
    }
    control.stop();
    return nullptr;
  };
  const auto middle = [&](Slot* slot) {
    if (slot->status && !stopped) slot->status = work(slot->piece);
    return slot;
  };
  const auto final = [&](Slot* slot) {
    if (stopped) return;
    if (slot->status) slot->status = take(slot->piece);
    if (slot->status) return;
    result = slot->status;
    stopped = true;
  };
  tbb::parallel_pipeline(slots.size(),
                         tbb::make_filter<void, Slot*>(tbb::filter_mode::serial_in_order, first) &
                             tbb::make_filter<Slot*, Slot*>(tbb::filter_mode::parallel, middle) &
                             tbb::make_filter<Slot*, void>(tbb::filter_mode::serial_in_order, final));
  return result;
}

}  // namespace packscope::native
