// SPDX-License-Identifier: MIT
#include "kernels/stream_cuts.hpp"

#include <algorithm>
#include <array>

#include "kernels/choose_target.hpp"

// Once for all targets.
#ifndef PACKSCOPE_STREAM_CUTS_SHARED
#define PACKSCOPE_STREAM_CUTS_SHARED
namespace packscope {
namespace {

inline void write_pieces(const StreamBlock& block, std::size_t index, TailWriter& tail) {
  const std::uint32_t n = block.lengths[index];
  if (n == 0) return;
  const Segment document{block.first_document + static_cast<std::uint32_t>(index), 0, n + block.rules.added};
  tail.push_pieces(document, block.rooms[index], block.rules.window);
}

// By which documents of a step are cut, as bits: how many segments there are up to the first of each.
using SegmentsUpTo = std::array<std::array<std::uint8_t, kStreamStep>, 256>;
constexpr SegmentsUpTo segments_up_to() {
  SegmentsUpTo table{};
  for (std::size_t cuts = 0; cuts < table.size(); ++cuts) {
    std::uint8_t segments = 0;
    for (std::size_t i = 0; i < kStreamStep; ++i) {
      table[cuts][i] = ++segments;
      segments = static_cast<std::uint8_t>(segments + (cuts >> i & 1));
    }
  }
  return table;
}
// By vectors only.
[[maybe_unused]] inline constexpr SegmentsUpTo kSegmentsUpTo = segments_up_to();

}  // namespace
}  // namespace packscope
#endif

#ifdef PACKSCOPE_SIMD
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stream_cuts.cpp"
#include <hwy/foreach_target.h>  // this file again for each target; must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace packscope::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
bool is_fast() { return true; }

using Documents8 = hn::FixedTag<std::uint32_t, kStreamStep>;
using Slots16 = hn::FixedTag<std::uint32_t, kSegmentsPerStreamStep>;  // two of each document
using Vec8 = hn::Vec<Documents8>;
using Vec16 = hn::Vec<Slots16>;

// For values below twice `window`.
HWY_INLINE Vec8 modulo(Vec8 values, Vec8 window) { return hn::Min(values, hn::Sub(values, window)); }

// Lanes move up, and the last ones of `below` come in.
template <int kLanes>
HWY_INLINE Vec8 shift_up(Vec8 values, Vec8 below) {
  return Vec8{_mm256_alignr_epi32(values.raw, below.raw, static_cast<int>(kStreamStep) - kLanes)};
}

// Sums of all lanes up to each, modulo `window`: adding with wrapping around is associative.
HWY_INLINE Vec8 modular_sums(Vec8 values, Vec8 window) {
  const Vec8 zero = hn::Zero(Documents8());
  Vec8 sums = modulo(values, window);
  sums = modulo(hn::Add(sums, shift_up<1>(sums, zero)), window);
  sums = modulo(hn::Add(sums, shift_up<2>(sums, zero)), window);
  return modulo(hn::Add(sums, shift_up<4>(sums, zero)), window);
}

HWY_INLINE hn::Mask<Documents8> at_least(Vec8 values, Vec8 least) {
  return hn::Eq(hn::Max(values, least), values);
}

// `values` with what documents that are empty or long move the stream on by, less whole windows.
HWY_INLINE Vec8 with_remainders(Vec8 values, hn::Mask<Documents8> is_far, const std::uint32_t* lengths,
                                const StreamRules& rules) {
  const Documents8 d;
  std::uint8_t bits = 0;
  hn::StoreMaskBits(d, is_far, &bits);
  for (std::uint32_t left = bits; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    const std::uint32_t n = lengths[lane];
    const std::uint32_t remainder = n == 0 ? 0 : (n + rules.added) % rules.window;
    values = hn::IfThenElse(hn::Eq(hn::Iota(d, 0), hn::Set(d, lane)), hn::Set(d, remainder), values);
  }
  return values;
}

StreamCuts vector_find_stream_cuts(std::span<const std::uint32_t> lengths, const StreamRules& rules,
                                   std::uint32_t room, std::uint32_t* rooms, std::uint32_t* unusual) {
  const Documents8 d;
  const Vec8 window = hn::Set(d, rules.window);
  const Vec8 one = hn::Set(d, 1);
  const Vec8 added = hn::Set(d, rules.added);
  const Vec8 longest_less_one = hn::Set(d, rules.longest - 1);
  const Vec8 twice_window = hn::Set(d, 2 * rules.window - rules.added - 1);
  const auto last_lane = hn::SetTableIndices(d, std::array<std::uint32_t, 8>{7, 7, 7, 7, 7, 7, 7, 7}.data());
  Vec8 ends = hn::Set(d, rules.window - room);  // of documents, as positions in their windows
  Vec8 index = hn::Iota(d, 0);
  std::size_t unusual_count = 0;
  std::size_t i = 0;
  for (; i + kStreamStep <= lengths.size(); i += kStreamStep) {
    const Vec8 n = hn::LoadU(d, lengths.data() + i);
    const Vec8 n_less_one = hn::Sub(n, one);  // that of an empty one is beyond all
    Vec8 length = hn::Add(n, added);
    const auto is_far = at_least(n_less_one, twice_window);
    if (!hn::AllFalse(d, is_far)) length = with_remainders(length, is_far, lengths.data() + i, rules);
    const Vec8 before = hn::TableLookupLanes(ends, last_lane);
    const Vec8 next_ends = modulo(hn::Add(modular_sums(length, window), before), window);
    const Vec8 room_left = hn::Sub(window, shift_up<1>(next_ends, ends));
    hn::StoreU(room_left, d, rooms + i);
    const auto is_unusual = at_least(n_less_one, hn::Add(room_left, longest_less_one));
    hn::StoreU(hn::Compress(index, is_unusual), d, unusual + unusual_count);
    unusual_count += hn::CountTrue(d, is_unusual);
    index = hn::Add(index, hn::Set(d, kStreamStep));
    ends = next_ends;
  }
  const std::uint32_t room_now = rules.window - hn::GetLane(hn::TableLookupLanes(ends, last_lane));
  StreamCuts rest =
      scalar_find_stream_cuts(lengths.subspan(i), rules, room_now, rooms + i, unusual + unusual_count);
  for (std::size_t k = 0; k < rest.unusual_count; ++k)
    unusual[unusual_count + k] += static_cast<std::uint32_t>(i);
  rest.unusual_count += unusual_count;
  return rest;
}

HWY_INLINE Vec16 widen(Vec8 values) { return Vec16{_mm512_castsi256_si512(values.raw)}; }

// Lane i is lane indices[i] of `low` and, from 16 on, of `high`.
HWY_INLINE Vec16 look_up(Vec16 low, Vec16 indices, Vec16 high) {
  return Vec16{_mm512_permutex2var_epi32(low.raw, indices.raw, high.raw)};
}

HWY_INLINE Vec16 lanes(const std::array<std::uint32_t, 16>& values) {
  return hn::LoadU(Slots16(), values.data());
}

// [16] segments of three numbers each.
HWY_INLINE void store_segments(Vec16 document, Vec16 offset, Vec16 length, Segment* out) {
  const Slots16 d;
  auto* const numbers = reinterpret_cast<std::uint32_t*>(out);
  const Vec16 first = look_up(document, lanes({0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5}), offset);
  const Vec16 second =
      look_up(document, lanes({21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26}), offset);
  const Vec16 third =
      look_up(document, lanes({0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0}), offset);
  hn::StoreU(look_up(first, lanes({0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15}), length), d,
             numbers);
  hn::StoreU(look_up(second, lanes({0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15}), length), d,
             numbers + 16);
  hn::StoreU(look_up(third, lanes({26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31}), length), d,
             numbers + 32);
}

// Documents that are cut once at most. Each has two slots for segments: what goes in its window and, if that
// is less than all, the rest. The slots in use are moved together. Lanes behind the last document have no
// tokens, so no slot.
HWY_INLINE TailWriter write_usual(const StreamBlock& block, std::size_t begin, std::size_t last,
                                  TailWriter tail) {
  const Documents8 d;
  const Slots16 slots;
  const hn::FixedTag<std::int32_t, kStreamStep> signed8;
  const hn::FixedTag<std::int32_t, kSegmentsPerStreamStep> signed16;
  const hn::FixedTag<std::uint64_t, kStreamStep> wide;
  const hn::FixedTag<std::uint8_t, kStreamStep> bytes;
  const Vec8 added = hn::Set(d, block.rules.added);
  const Vec16 pairs = lanes({0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23});
  Vec16 document = hn::Add(hn::Set(slots, block.first_document + static_cast<std::uint32_t>(begin)),
                           lanes({0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}));
  for (std::size_t i = begin; i < last; i += kStreamStep) {
    const std::size_t count = std::min(kStreamStep, last - i);
    const auto present = hn::FirstN(d, count);
    const Vec8 n = hn::MaskedLoad(present, d, block.lengths.data() + i);
    const Vec8 length = hn::IfThenElseZero(present, hn::Add(n, added));
    const Vec8 room = hn::LoadU(d, block.rooms + i);
    const Vec8 rest = hn::Sub(length, room);  // negative where the window stays open
    const auto signed_rest = hn::BitCast(signed8, rest);
    const Vec16 lengths = look_up(widen(hn::Min(length, room)), pairs, widen(rest));
    const Vec16 offsets = look_up(hn::Zero(slots), pairs, widen(room));
    const auto used = hn::RebindMask(slots, hn::Gt(hn::BitCast(signed16, lengths), hn::Zero(signed16)));
    store_segments(hn::Compress(document, used), hn::Compress(offsets, used), hn::Compress(lengths, used),
                   tail.segment());

    const auto cut = hn::RebindMask(d, hn::Gt(signed_rest, hn::Zero(signed8)));
    const auto closes = hn::RebindMask(d, hn::Gt(signed_rest, hn::Set(signed8, -1)));
    std::uint8_t cut_bits = 0;
    hn::StoreMaskBits(d, cut, &cut_bits);
    const Vec8 up_to = hn::PromoteTo(d, hn::LoadU(bytes, kSegmentsUpTo[cut_bits].data()));
    hn::StoreU(hn::Add(hn::PromoteTo(wide, hn::Compress(up_to, closes)), hn::Set(wide, tail.end())), wide,
               tail.offset());

    tail.skip(count + hn::CountTrue(d, cut), hn::CountTrue(d, closes));
    document = hn::Add(document, hn::Set(slots, kStreamStep));
  }
  return tail;
}

TailWriter vector_write_stream(const StreamBlock& block, TailWriter tail) {
  std::size_t begin = 0;
  for (const std::uint32_t index : block.unusual) {
    tail = write_usual(block, begin, index, tail);
    write_pieces(block, index, tail);
    begin = std::size_t{index} + 1;
  }
  return write_usual(block, begin, block.lengths.size(), tail);
}

#else
bool is_fast() { return false; }

StreamCuts vector_find_stream_cuts(std::span<const std::uint32_t> lengths, const StreamRules& rules,
                                   std::uint32_t room, std::uint32_t* rooms, std::uint32_t* unusual) {
  return scalar_find_stream_cuts(lengths, rules, room, rooms, unusual);
}

TailWriter vector_write_stream(const StreamBlock& block, TailWriter tail) {
  return scalar_write_stream(block, tail);
}
#endif

}  // namespace packscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(PACKSCOPE_SIMD) || HWY_ONCE
namespace packscope {

StreamCuts scalar_find_stream_cuts(std::span<const std::uint32_t> lengths, const StreamRules& rules,
                                   std::uint32_t room, std::uint32_t* rooms, std::uint32_t* unusual) {
  std::size_t unusual_count = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::uint32_t n = lengths[i];
    rooms[i] = room;
    if (n - 1 >= room + (rules.longest - 1)) unusual[unusual_count++] = static_cast<std::uint32_t>(i);
    const std::uint32_t remainder = n == 0 ? 0 : (n + rules.added) % rules.window;
    room = room > remainder ? room - remainder : room + rules.window - remainder;
  }
  std::fill_n(rooms + lengths.size(), kStreamStep, rules.window);
  return {room, unusual_count};
}

TailWriter scalar_write_stream(const StreamBlock& block, TailWriter tail) {
  for (std::size_t i = 0; i < block.lengths.size(); ++i) write_pieces(block, i, tail);
  return tail;
}

#ifdef PACKSCOPE_SIMD
HWY_EXPORT(is_fast);
HWY_EXPORT(vector_find_stream_cuts);
HWY_EXPORT(vector_write_stream);

StreamCuts find_stream_cuts(std::span<const std::uint32_t> lengths, const StreamRules& rules,
                            std::uint32_t room, std::uint32_t* rooms, std::uint32_t* unusual) {
  choose_target();
  return HWY_DYNAMIC_DISPATCH(vector_find_stream_cuts)(lengths, rules, room, rooms, unusual);
}

TailWriter write_stream(const StreamBlock& block, TailWriter tail) {
  choose_target();
  return HWY_DYNAMIC_DISPATCH(vector_write_stream)(block, tail);
}

#ifdef __x86_64__
bool has_fast_stream_cuts() {
  choose_target();
  return HWY_DYNAMIC_DISPATCH(is_fast)();
}
#endif
#else
StreamCuts find_stream_cuts(std::span<const std::uint32_t> lengths, const StreamRules& rules,
                            std::uint32_t room, std::uint32_t* rooms, std::uint32_t* unusual) {
  return scalar_find_stream_cuts(lengths, rules, room, rooms, unusual);
}

TailWriter write_stream(const StreamBlock& block, TailWriter tail) {
  return scalar_write_stream(block, tail);
}
#endif

}  // namespace packscope
#endif
