// SPDX-License-Identifier: MIT
// The content of a window that is being filled. With separator=between a document gets its separator when
// another one follows it, so that a window's last has none.
#pragma once

#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace packscope {

// Segments in memory of their own, for when several windows are open at a time.
class OwnSegments {
 public:
  OwnSegments() = default;
  explicit OwnSegments(Run&) {}

  void push(Run&, const Segment& segment) { list_.push_back(segment); }
  void separate(Run&) { ++list_.back().length; }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] const Segment* data() const { return list_.data(); }

  // The window becomes the next of the output. Keeps the memory.
  void emit(Run& run) {
    append_window(run, list_);
    list_.clear();
  }
  void discard(Run&) { list_.clear(); }

 private:
  std::vector<Segment> list_;
};

// Segments at the end of the output, where they will stay: for when one window is open at a time.
class TailSegments {
 public:
  explicit TailSegments(Run& run) : out_(run.out) {}

  void push(Run&, const Segment& segment) { out_.segments.push_back(segment); }
  void separate(Run&) { ++out_.segments.back().length; }
  [[nodiscard]] std::size_t size() const { return out_.segments.size() - first(); }
  [[nodiscard]] const Segment* data() const { return out_.segments.data() + first(); }

  void emit(Run&) { out_.window_offsets.push_back(out_.segments.size()); }
  void discard(Run&) { out_.segments.resize(first()); }

 private:
  [[nodiscard]] std::size_t first() const { return static_cast<std::size_t>(out_.window_offsets.back()); }

  WindowList& out_;
};

// OwnSegments that tell the trace.
class TracedSegments {
 public:
  TracedSegments() = default;
  explicit TracedSegments(Run&) {}

  void push(Run& run, const Segment& segment) {
    if (size() == 0) window_ = run.trace->open();
    run.trace->place(window_, segment);
    own_.push(run, segment);
  }
  void separate(Run& run) {
    run.trace->separate(window_);
    own_.separate(run);
  }
  [[nodiscard]] std::size_t size() const { return own_.size(); }
  [[nodiscard]] const Segment* data() const { return own_.data(); }

  void emit(Run& run) {
    run.trace->close(window_);
    own_.emit(run);
  }
  void discard(Run& run) {
    run.trace->discard(window_);
    own_.discard(run);
  }

 private:
  OwnSegments own_;
  std::uint32_t window_ = kNoWindow;
};

template <class Segments>
class OpenWindow {
 public:
  OpenWindow() = default;
  explicit OpenWindow(Run& run) : segments_(run) {}

  // A document after those that are there.
  void append(Run& run, const Segment& segment, std::uint32_t source) {
    if (run.rules.between) {
      if (!empty()) separate(run);
      last_source_ = source;
    }
    segments_.push(run, segment);
  }

  void emit(Run& run) { segments_.emit(run); }

  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return segments_.size(); }
  [[nodiscard]] const Segment* data() const { return segments_.data(); }

 private:
  void separate(Run& run) {
    segments_.separate(run);
    ++run.ledger[last_source_].separators_added;
  }

  Segments segments_;
  std::uint32_t last_source_ = 0;  // for separator=between
};

}  // namespace packscope
