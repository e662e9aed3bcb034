// SPDX-License-Identifier: MIT
// Writes segments and windows straight to the end of the output, without a branch: whether a window ends at a
// document is as good as random, and a wrong guess of the processor costs more than placing the document.
#pragma once

#include <cstddef>
#include <cstdint>

#include "packscope/plan.hpp"

namespace packscope {

// Documents that one writer is for, and what it may ask for beyond the segments that are written in the end.
inline constexpr std::size_t kDocumentsPerBlock = 1024;
inline constexpr std::size_t kTailWriterMargin = 2 * kDocumentsPerBlock + 1;

class TailWriter {
 public:
  // For at most so many segments and windows more. Both ends are inlined, so that a writer lives in
  // registers: a call that takes its address keeps it in memory, where each step waits for the one before.
  [[gnu::always_inline]] TailWriter(WindowList& out, std::size_t segments, std::size_t windows)
      : out_(out), end_(out.segments.size()), windows_(out.window_offsets.size()) {
    out.segments.resize(end_ + segments + 1);
    out.window_offsets.resize(windows_ + windows + 1);
    segment_ = out.segments.data() + end_;
    offset_ = out.window_offsets.data() + windows_;
  }
  [[gnu::always_inline]] ~TailWriter() {
    out_.segments.resize(end_);
    out_.window_offsets.resize(windows_);
  }
  TailWriter(const TailWriter&) = delete;
  TailWriter& operator=(const TailWriter&) = delete;

  void push_if(bool wanted, const Segment& segment) {
    segment_[0] = segment;
    segment_ += wanted ? 1 : 0;
    end_ += wanted ? 1 : 0;
  }
  void push(const Segment& segment) { push_if(true, segment); }

  void close_if(bool closes) {
    offset_[0] = end_;
    offset_ += closes ? 1 : 0;
    windows_ += closes ? 1 : 0;
  }

 private:
  WindowList& out_;
  std::size_t end_;      // segments written
  std::size_t windows_;  // entries of window_offsets written
  Segment* segment_;     // the next one
  std::uint64_t* offset_;
};

}  // namespace packscope
