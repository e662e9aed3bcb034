// SPDX-License-Identifier: MIT
#include "kernels/length_totals.hpp"

#include <algorithm>

#include "kernels/choose_target.hpp"

#ifdef PACKSCOPE_SIMD
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/length_totals.cpp"
#include <hwy/foreach_target.h>  // this file again for each target; must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace packscope::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // has no lane for half a number
LengthTotals vector_length_totals(std::span<const std::uint32_t> lengths) {
  return scalar_length_totals(lengths);
}
#else
// Even and odd lengths are added up in lanes of 64 bits.
LengthTotals vector_length_totals(std::span<const std::uint32_t> lengths) {
  const hn::ScalableTag<std::uint32_t> narrow;
  const hn::ScalableTag<std::uint64_t> wide;
  const std::size_t step = hn::Lanes(narrow);
  const auto low_half = hn::Set(wide, UINT32_MAX);
  auto longest = hn::Zero(narrow);
  auto tokens = hn::Zero(wide);
  std::size_t i = 0;
  for (; i + step <= lengths.size(); i += step) {
    const auto n = hn::LoadU(narrow, lengths.data() + i);
    const auto pairs = hn::BitCast(wide, n);
    longest = hn::Max(longest, n);
    tokens = hn::Add(tokens, hn::Add(hn::And(pairs, low_half), hn::ShiftRight<32>(pairs)));
  }
  LengthTotals rest = scalar_length_totals(lengths.subspan(i));
  rest.longest = std::max(rest.longest, hn::GetLane(hn::MaxOfLanes(narrow, longest)));
  rest.tokens += hn::GetLane(hn::SumOfLanes(wide, tokens));
  return rest;
}
#endif

}  // namespace packscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(PACKSCOPE_SIMD) || HWY_ONCE
namespace packscope {

LengthTotals scalar_length_totals(std::span<const std::uint32_t> lengths) {
  LengthTotals totals;
  for (const std::uint32_t n : lengths) {
    totals.longest = std::max(totals.longest, n);
    totals.tokens += n;
  }
  return totals;
}

#ifdef PACKSCOPE_SIMD
HWY_EXPORT(vector_length_totals);

LengthTotals length_totals(std::span<const std::uint32_t> lengths) {
  choose_target();
  return HWY_DYNAMIC_DISPATCH(vector_length_totals)(lengths);
}
#else
LengthTotals length_totals(std::span<const std::uint32_t> lengths) { return scalar_length_totals(lengths); }
#endif

}  // namespace packscope
#endif
