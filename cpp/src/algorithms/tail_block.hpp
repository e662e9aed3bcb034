// SPDX-License-Identifier: MIT
// Room at the end of the output for a TailWriter, a block of documents at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/algorithm.hpp"
#include "tail_writer.hpp"

namespace packscope {

// Documents that are written at a time, and what that may ask for beyond the segments that are written in the
// end: two for each document, some that long ones need beside, and as many as may be written behind the last.
inline constexpr std::size_t kDocumentsPerBlock = 1024;
inline constexpr std::size_t kSpareSegments = 1024;
inline constexpr std::size_t kBehindTail = 16;
inline constexpr std::size_t kTailMargin = 2 * kDocumentsPerBlock + kSpareSegments + kBehindTail + 2;

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
