// SPDX-License-Identifier: MIT
// Writes segments and windows straight to the end of the output, without a branch: whether a window ends at a
// document is as good as random, and a wrong guess of the processor costs more than placing the document.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/algorithm.hpp"

namespace packscope {

// Documents that are written at a time, and what that may ask for beyond the segments that are written in the
// end: two for each document, some that long ones need beside, and as many as may be written behind the last.
inline constexpr std::size_t kDocumentsPerBlock = 1024;
inline constexpr std::size_t kSpareSegments = 1024;
inline constexpr std::size_t kBehindTail = 16;
inline constexpr std::size_t kTailMargin = 2 * kDocumentsPerBlock + kSpareSegments + kBehindTail + 2;

inline std::uint32_t sign_bit(std::int32_t value) { return static_cast<std::uint32_t>(value) >> 31; }

// Where the next segment and the next entry of window_offsets go. Loops work on a copy of their own, which
// lives in registers: in memory each step waits for the one before.
class TailWriter {
 public:
  TailWriter(Segment* segment, std::uint64_t* offset, std::uint64_t end)
      : segment_(segment), offset_(offset), end_(end) {}

  // Both write, and stay where they are if `count` is 0; else it is 1. A number, as compilers make branches
  // of conditions.
  void push(const Segment& segment, std::uint32_t count = 1) {
    write_segment(segment_, segment);
    segment_ += count;
    end_ += count;
  }

  void close(std::uint32_t count = 1) {
    *offset_ = end_;
    offset_ += count;
  }

  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] Segment* segment() const { return segment_; }
  [[nodiscard]] std::uint64_t* offset() const { return offset_; }

 private:
  Segment* segment_;
  std::uint64_t* offset_;
  std::uint64_t end_;  // segments written
};

// The output, longer for as long as this lives by what a block of documents needs that are no longer than a
// window, and by what is asked for beside that.
class TailBlock {
 public:
  TailBlock(WindowList& out, std::size_t documents)
      : out_(out), writer_(at(out.segments.size(), out.window_offsets.size())) {
    // Each may be cut where a window ends.
    grow(2 * documents + kSpareSegments + kBehindTail);
  }
  ~TailBlock() {
    out_.window_offsets.resize(windows());
    out_.segments.resize(static_cast<std::size_t>(writer_.end()));
  }
  TailBlock(const TailBlock&) = delete;
  TailBlock& operator=(const TailBlock&) = delete;

  // Beside two for each document. Copies of the writer are void then.
  void make_room(std::size_t segments) {
    if (segments > spare_) return grow(segments);
    spare_ -= segments;
  }

  TailWriter& writer() { return writer_; }

 private:
  void grow(std::size_t segments) {
    const std::size_t windows_now = windows();
    out_.segments.resize(out_.segments.size() + segments);
    out_.window_offsets.resize(out_.window_offsets.size() + segments);
    writer_ = at(static_cast<std::size_t>(writer_.end()), windows_now);
  }

  [[nodiscard]] TailWriter at(std::size_t segments, std::size_t windows) const {
    return {out_.segments.data() + segments, out_.window_offsets.data() + windows, segments};
  }
  [[nodiscard]] std::size_t windows() const {
    return static_cast<std::size_t>(writer_.offset() - out_.window_offsets.data());
  }

  WindowList& out_;
  TailWriter writer_;
  std::size_t spare_ = kSpareSegments;
};

}  // namespace packscope
