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

  void push(const Segment& segment) { list_.push_back(segment); }
  [[nodiscard]] Segment& back() { return list_.back(); }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] const Segment* data() const { return list_.data(); }

  // The window becomes the next of the output.
  void emit(Run& run) {
    emit_window(run, list_);
    clear();
  }
  void clear() { list_.clear(); }  // keeps the memory

 private:
  std::vector<Segment> list_;
};

// Segments at the end of the output, where they will stay: for when one window is open at a time.
class TailSegments {
 public:
  explicit TailSegments(Run& run) : out_(run.out) {}

  void push(const Segment& segment) { out_.segments.push_back(segment); }
  [[nodiscard]] Segment& back() { return out_.segments.back(); }
  [[nodiscard]] std::size_t size() const { return out_.segments.size() - first(); }
  [[nodiscard]] const Segment* data() const { return out_.segments.data() + first(); }

  void emit(Run&) { out_.window_offsets.push_back(out_.segments.size()); }
  void clear() { out_.segments.resize(first()); }

 private:
  [[nodiscard]] std::size_t first() const { return static_cast<std::size_t>(out_.window_offsets.back()); }

  WindowList& out_;
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
    segments_.push(segment);
  }

  void emit(Run& run) { segments_.emit(run); }
  void clear() { segments_.clear(); }

  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return segments_.size(); }
  [[nodiscard]] std::span<const Segment> segments() const { return {segments_.data(), segments_.size()}; }

 private:
  void separate(Run& run) {
    ++segments_.back().length;
    ++run.ledger[last_source_].separators_added;
  }

  Segments segments_;
  std::uint32_t last_source_ = 0;  // for separator=between
};

}  // namespace packscope
