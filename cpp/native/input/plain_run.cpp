// SPDX-License-Identifier: MIT
#include "input/plain_run.hpp"

#include <algorithm>
#include <optional>

#include "input/byte_words.hpp"
#include "input/json_escape.hpp"

#ifdef PACKSCOPE_SIMD
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "input/plain_run.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // this file again for each target; must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace packscope::native::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kAheadBytes = 1024;  // the processor itself looks no further than the page

using Bytes = hn::CappedTag<std::uint8_t, kBlockBytes>;

// A bit for each byte of a block that passes the test, the first byte's lowest.
template <class Test>
std::uint64_t marks(const char* block, const Test& test) {
  const Bytes bytes;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kBlockBytes; i += hn::Lanes(bytes)) {
    const auto values = hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(block + i));
    std::uint8_t bits[sizeof all] = {};
    hn::StoreMaskBits(bytes, test(values), bits);
    std::uint64_t some = 0;
    std::memcpy(&some, bits, sizeof some);
    all |= some << i;
  }
  return all;
}

std::uint64_t marks_of(const char* block, char byte) {
  const auto wanted = hn::Set(Bytes(), static_cast<std::uint8_t>(byte));
  return marks(block, [&](auto values) { return hn::Eq(values, wanted); });
}

// Of bytes that are no more than `distance` above `first`, read without the bits `ignored`.
std::uint64_t marks_from(const char* block, char first, std::uint8_t distance, std::uint8_t ignored = 0) {
  const auto kept = hn::Set(Bytes(), static_cast<std::uint8_t>(~ignored));
  const auto lowest = hn::Set(Bytes(), static_cast<std::uint8_t>(first));
  const auto most = hn::Set(Bytes(), distance);
  return marks(block, [&](auto values) {
    const auto above = hn::Sub(hn::And(values, kept), lowest);
    return hn::Eq(hn::Min(above, most), above);
  });
}

std::uint64_t control_marks(const char* block) { return marks_from(block, '\0', 0x1f); }

// The rarer letters that stand for one byte behind a backslash.
std::uint64_t rare_marks(const char* block) {
  return marks_of(block, 't') | marks_of(block, 'r') | marks_of(block, '/') | marks_of(block, 'b') |
         marks_of(block, 'f');
}

// The bytes behind backslashes that are not escaped themselves.
std::uint64_t escaped_marks(std::uint64_t backslashes) {
  std::uint64_t escaped = backslashes << 1;
  if ((escaped & backslashes) == 0) return escaped;
  escaped = 0;
  for (std::uint64_t left = backslashes; left != 0;) {
    const std::uint64_t next = (left & (~left + 1)) << 1;
    escaped |= next;
    left &= ~next & (left - 1);
  }
  return escaped;
}

// The escapes of four hexadecimal digits among those whose letters are marked, but for surrogates and those
// that go on behind the block.
struct HexEscapes {
  std::uint64_t all = 0;
  std::uint64_t two_bytes = 0;  // or fewer in UTF-8
  std::uint64_t one_byte = 0;

  // Bytes beyond the first that the marked ones save: six stand for three, two or one.
  [[nodiscard]] std::size_t saved_bytes(std::uint64_t marked) const {
    return 2 * hwy::PopCount(all & marked) + hwy::PopCount(two_bytes & marked) +
           hwy::PopCount(one_byte & marked);
  }
};

HexEscapes hex_escapes(const char* block, std::uint64_t letters) {
  constexpr std::uint8_t kCase = 0x20;
  HexEscapes escapes{.all = letters & marks_of(block, 'u')};
  if (escapes.all == 0) return escapes;
  const std::uint64_t zeros = marks_of(block, '0');
  const std::uint64_t octal = marks_from(block, '0', 7);
  const std::uint64_t digits = marks_from(block, '0', 9) | marks_from(block, 'A', 5, kCase);
  const std::uint64_t surrogates = marks_from(block, 'D', 0, kCase) >> 1 & (digits & ~octal) >> 2;
  escapes.all &= digits >> 1 & digits >> 2 & digits >> 3 & digits >> 4 & ~surrogates;
  escapes.two_bytes = escapes.all & zeros >> 1 & octal >> 2;
  escapes.one_byte = escapes.two_bytes & zeros >> 2 & octal >> 3;
  return escapes;
}

std::uint64_t below_lowest(std::uint64_t marks) { return (marks - 1) & ~marks; }

PlainRun skip_plain_blocks(const char* at, const char* end) {
  const Bytes bytes;
  PlainRun run{.end = at};
  auto seen = hn::Zero(bytes);
  while (run.end < end) {
    const char* const block = run.end;
    hwy::Prefetch(block + kAheadBytes);  // no fault, wherever that is
    for (std::size_t i = 0; i < kBlockBytes; i += hn::Lanes(bytes)) {
      seen = hn::Or(seen, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(block + i)));
    }
    const std::uint64_t backslashes = marks_of(block, '\\');
    const std::uint64_t escaped = escaped_marks(backslashes);
    const std::uint64_t quotes = marks_of(block, '"');
    const std::uint64_t ends = (quotes & ~escaped) | control_marks(block);
    std::uint64_t strange = escaped & ~(quotes | backslashes | marks_of(block, 'n'));  // the usual ones
    HexEscapes hex;
    if (strange != 0) {
      hex = hex_escapes(block, strange);
      strange &= ~hex.all;
      if (strange != 0) strange &= ~rare_marks(block);
    }
    // A strange letter is looked at from its backslash on.
    const std::uint64_t stops = ends | strange >> 1;
    const std::uint64_t passed = below_lowest(stops);
    run.saved_bytes += hwy::PopCount(escaped & passed) + hex.saved_bytes(passed);
    if (stops != 0) {
      run.end += std::countr_zero(stops);
      if (!pass_escape(run)) break;
      continue;
    }
    // A backslash at the end of the block waits for what it escapes. As a rare branch, so that the next block
    // is loaded before this one is looked at.
    run.end += kBlockBytes;
    if (HWY_UNLIKELY((backslashes & ~escaped) >> (kBlockBytes - 1) != 0)) --run.end;
  }
  const auto high = hn::Set(bytes, std::uint8_t{0x80});
  run.ascii = hn::AllFalse(bytes, hn::Eq(hn::And(seen, high), high));
  return run;
}

#if HWY_TARGET <= HWY_AVX3_DL && HWY_MAX_BYTES == 64  // and those that have more than it
auto mask_of(std::uint64_t bits) {
  std::uint8_t stored[sizeof bits];
  std::memcpy(stored, &bits, sizeof bits);
  return hn::LoadMaskBits(Bytes(), stored);
}

// The usual letters behind a backslash and what both stand for, by the letter's lower half, which differs.
// None in the place of another half is a letter of it.
alignas(16) constexpr std::uint8_t kLetters[16] = {1, 0, '"', 0, 't',  0, 'f', 0,
                                                   0, 0, 0,   0, '\\', 0, 'n', '/'};
alignas(16) constexpr std::uint8_t kStandsFor[16] = {0, 0, '"', 0, '\t', 0, '\f', 0,
                                                     0, 0, 0,   0, '\\', 0, '\n', '/'};

// Copies a whole block at once where its escapes are the usual ones, with no branch on where they stand:
// their letters become what both stand for and their backslashes are left out. Otherwise false.
HWY_INLINE bool copy_usual_block(const char* at, std::uint64_t backslashes, std::uint64_t escaped,
                                 std::uint8_t*& out) {
  const Bytes bytes;
  const auto by_lower_half = [&](const std::uint8_t* table, auto values) {
    const auto lower_half = hn::And(values, hn::Set(bytes, std::uint8_t{15}));
    return hn::TableLookupBytes(hn::LoadDup128(bytes, table), lower_half);
  };
  const auto is_usual = [&](auto values) { return hn::Eq(values, by_lower_half(kLetters, values)); };
  if ((escaped & ~marks(at, is_usual)) != 0) return false;
  const auto block = hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(at));
  const auto unescaped = hn::IfThenElse(mask_of(escaped), by_lower_half(kStandsFor, block), block);
  const std::uint64_t kept = escaped | ~backslashes;
  hn::StoreU(hn::Compress(unescaped, mask_of(kept)), bytes, out);
  out += hwy::PopCount(kept);
  return true;
}
#else
// The others have no instruction that leaves bytes out.
bool copy_usual_block(const char*, std::uint64_t, std::uint64_t, std::uint8_t*&) { return false; }
#endif

void copy_block(const char* from, std::uint8_t* to) {
  const Bytes bytes;
  for (std::size_t i = 0; i < kBlockBytes; i += hn::Lanes(bytes)) {
    hn::StoreU(hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(from + i)), bytes, to + i);
  }
}

std::uint8_t* copy_unescaped_blocks(const char* at, const char* end, std::uint8_t* out) {
  while (at < end) {
    const auto size = std::min<std::ptrdiff_t>(end - at, kBlockBytes);
    std::uint64_t backslashes = marks_of(at, '\\');
    if (HWY_UNLIKELY(size < std::ptrdiff_t{kBlockBytes})) backslashes &= (std::uint64_t{1} << size) - 1;
    const std::uint64_t escaped = escaped_marks(backslashes);
    std::uint64_t escapes = backslashes & ~escaped;
    const bool is_whole = size == kBlockBytes && escapes >> (kBlockBytes - 1) == 0;
    if (HWY_LIKELY(is_whole && copy_usual_block(at, backslashes, escaped, out))) {
      at += kBlockBytes;
      continue;
    }
    const char* next = at;  // to be copied; what is copied too far is written over
    copy_block(next, out);
    for (; escapes != 0; escapes &= escapes - 1) {
      const char* const escape = at + std::countr_zero(escapes);
      out += escape - next;
      next = escape;
      const char simple = kSimpleEscapes[static_cast<unsigned char>(escape[1])];
      if (HWY_UNLIKELY(simple == 0)) break;
      *out++ = static_cast<std::uint8_t>(simple);
      next += 2;
      copy_block(next, out);
    }
    if (HWY_UNLIKELY(escapes != 0)) {
      const char* rest = next;  // not `at`, which stays in a register
      out = copy_escapes(rest, end, out);
      at = rest;
      continue;
    }
    at += size;
    out += at - next;
    if (HWY_UNLIKELY(next > at)) {  // the last backslash's letter is behind the block
      out += next - at;
      at = next;
    }
  }
  return out;
}

}  // namespace packscope::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(PACKSCOPE_SIMD) || HWY_ONCE
namespace packscope::native {

bool pass_escape(PlainRun& run) {
  const std::optional<EscapedCharacter> character = *run.end == '\\' ? read_escape(run.end) : std::nullopt;
  if (!character) return false;
  run.end += character->escaped_bytes;
  run.saved_bytes += character->escaped_bytes - character->utf8_bytes();
  return true;
}

PlainRun skip_plain_scalar(const char* at, const char* end) {
  PlainRun run{.end = at};
  std::uint64_t seen = 0;
  while (run.end < end) {
    const std::uint64_t word = load_word(run.end);
    seen |= word;
    const std::uint64_t stops = bytes_equal(word, '"') | bytes_equal(word, '\\') | bytes_below(word, 0x20);
    run.end += first_marked(stops);
    if (stops != 0 && !pass_escape(run)) break;
  }
  run.ascii = (seen & kHighBits) == 0;
  return run;
}

std::uint8_t* copy_unescaped_scalar(const char* at, const char* end, std::uint8_t* out) {
  while (at < end) {
    std::memcpy(out, at, kWordBytes);
    const std::uint64_t backslashes = bytes_equal(load_word(at), '\\');
    const std::size_t plain = std::min(backslashes == 0 ? kWordBytes : first_marked(backslashes),
                                       static_cast<std::size_t>(end - at));
    at += plain;
    out += plain;
    if (plain == kWordBytes || at >= end) continue;
    out = copy_escapes(at, end, out);
  }
  return out;
}

#ifdef PACKSCOPE_SIMD
HWY_EXPORT(skip_plain_blocks);
HWY_EXPORT(copy_unescaped_blocks);

PlainRun skip_plain(const char* at, const char* end) {
  return HWY_DYNAMIC_DISPATCH(skip_plain_blocks)(at, end);
}

std::uint8_t* copy_unescaped(const char* at, const char* end, std::uint8_t* out) {
  return HWY_DYNAMIC_DISPATCH(copy_unescaped_blocks)(at, end, out);
}
#else
PlainRun skip_plain(const char* at, const char* end) { return skip_plain_scalar(at, end); }

std::uint8_t* copy_unescaped(const char* at, const char* end, std::uint8_t* out) {
  return copy_unescaped_scalar(at, end, out);
}
#endif

}  // namespace packscope::native
#endif
