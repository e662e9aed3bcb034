// SPDX-License-Identifier: MIT
// One stream of documents cut every `window` tokens: where in its window each document begins, and the
// segments that makes. In SIMD on processors with AVX-512, which can put those lanes next to each other that
// are wanted; has_fast_stream_cuts() says whether this is one. The scalar twins are for tests: a loop that
// does both at once is faster (see wrap).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tail_writer.hpp"

namespace packscope {

// A step takes that many documents. Arrays that are written by steps are longer by it than what is meant.
inline constexpr std::size_t kStreamStep = 8;
inline constexpr std::size_t kSegmentsPerStreamStep = 2 * kStreamStep;

struct StreamRules {
  std::uint32_t window;   // tokens, less than 2^31
  std::uint32_t longest;  // tokens of a document that fits in a window with what is added to it
  std::uint32_t added;    // tokens that every document gets longer by that is not empty
};

struct StreamCuts {
  std::uint32_t room;  // in the window after the last document
  std::size_t unusual_count;
};

// Writes the room, 1 to `window`, that each document finds in its window to rooms[documents + kStreamStep],
// and some valid room behind; to unusual[documents + kStreamStep] the indices of those that are empty or are
// cut more than once, ascending. `room` is what the first document finds.
StreamCuts find_stream_cuts(std::span<const std::uint32_t> lengths, const StreamRules& rules,
                            std::uint32_t room, std::uint32_t* rooms, std::uint32_t* unusual);
StreamCuts scalar_find_stream_cuts(std::span<const std::uint32_t> lengths, const StreamRules& rules,
                                   std::uint32_t room, std::uint32_t* rooms, std::uint32_t* unusual);

// Documents, and what was found out about them.
struct StreamBlock {
  std::span<const std::uint32_t> lengths;
  std::span<const std::uint32_t> unusual;
  const std::uint32_t* rooms;  // and kStreamStep valid ones behind
  std::uint32_t first_document;
  StreamRules rules;
};

// Writes the block's segments and the ends of its windows, and up to kSegmentsPerStreamStep more of both
// behind that mean nothing. Returns where to go on.
TailWriter write_stream(const StreamBlock& block, TailWriter tail);
TailWriter scalar_write_stream(const StreamBlock& block, TailWriter tail);

// A constant where it is never so, for the sake of small packages.
#if defined(PACKSCOPE_SIMD) && defined(__x86_64__)
bool has_fast_stream_cuts();
#else
constexpr bool has_fast_stream_cuts() { return false; }
#endif

}  // namespace packscope
