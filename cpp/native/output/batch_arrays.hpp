// SPDX-License-Identifier: MIT
// The arrays of a batch under the names and dtypes they have on disk: writers and verify go by this list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "packscope/batch.hpp"
#include "packscope/plan.hpp"

namespace packscope::native {

struct ArrayView {
  std::string_view name;
  std::string_view descr;  // NumPy's dtype: "<i4"
  std::size_t value_bytes = 0;
  std::uint64_t columns = 0;  // values in a row; 0: one dimension
  std::span<const std::byte> values;
  bool per_window = true;  // as many rows as windows
};

// NumPy's name of a dtype: "<i4".
std::string_view dtype_descr(DType dtype);

inline constexpr std::string_view kOffsetsName = "cu_seqlens_offsets";

// All arrays that a batch of `plan` has, also where it holds no windows. Views into `batch`.
// cu_seqlens_offsets count from 0 in every batch. `narrow_ids`: instead of the batch's input_ids.
std::vector<ArrayView> batch_arrays(const Batch& batch, const Plan& plan, bool tokens_known,
                                    const std::vector<std::uint16_t>* narrow_ids = nullptr);

// Of a plan, or a part of it: segment_document, segment_offset, segment_length and window_offsets.
struct PlanArrays {
  PlanArrays(std::span<const Segment> segments, std::span<const std::uint64_t> window_offsets);
  [[nodiscard]] std::vector<ArrayView> views() const;

  std::vector<std::uint32_t> segment_document;
  std::vector<std::uint32_t> segment_offset;
  std::vector<std::uint32_t> segment_length;
  std::span<const std::uint64_t> window_offsets;
};

inline constexpr std::size_t kPlanArrays = 4;  // in that list

// A window whose arrays take more is refused before memory is asked for.
inline constexpr std::uint64_t kMaxWindowBytes = std::uint64_t{4} << 30;

// How many windows make a piece of work where there are no arrays.
inline constexpr std::uint64_t kWindowsWithoutArrays = 1 << 14;

// How many windows have arrays of about `bytes` bytes, at least one. Errors where one alone takes more
// than kMaxWindowBytes.
Result<std::uint64_t> windows_in(std::uint64_t bytes, const Options& options, const Corpus& corpus);

}  // namespace packscope::native
