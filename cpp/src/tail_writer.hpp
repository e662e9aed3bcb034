// SPDX-License-Identifier: MIT
// Writes segments and windows straight to the end of the output, without a branch: whether a window ends at a
// document is as good as random, and a wrong guess of the processor costs more than placing the document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "packscope/plan.hpp"

namespace packscope {

// By two stores, not three.
inline void write_segment(Segment* out, const Segment& segment) {
  const std::uint64_t place = segment.document | std::uint64_t{segment.document_offset} << 32;
  std::memcpy(out, &place, sizeof place);
  out->length = segment.length;
}

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

  // Fills windows with a document, the first of which has `room`, and leaves its rest in the next; returns
  // the room there.
  std::uint32_t push_pieces(Segment rest, std::uint32_t room, std::uint32_t window) {
    while (rest.length >= room) {
      push({rest.document, rest.document_offset, room});
      close();
      rest.document_offset += room;
      rest.length -= room;
      room = window;
    }
    push(rest, rest.length > 0 ? 1 : 0);
    return room - rest.length;
  }

  // Past what somebody else has written there.
  void skip(std::size_t segments, std::size_t windows) {
    segment_ += segments;
    end_ += segments;
    offset_ += windows;
  }

  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] Segment* segment() const { return segment_; }
  [[nodiscard]] std::uint64_t* offset() const { return offset_; }

 private:
  Segment* segment_;
  std::uint64_t* offset_;
  std::uint64_t end_;  // segments written
};

}  // namespace packscope
