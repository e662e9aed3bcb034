// SPDX-License-Identifier: MIT
// Masks with a cell for each query and key, written row by row from intervals.
#include <limits>

#include "masks/masked_window.hpp"
#include "text.hpp"

namespace packscope {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr std::uint16_t kMinusInfinityF16 = 0xfc00;
constexpr std::uint16_t kMinusInfinityBf16 = 0xff80;

// `row_bytes` is what one query takes. Divides, since a product may pass 64 bits.
Status check_size(std::uint64_t windows, std::uint64_t length, std::uint64_t row_bytes) {
  if (windows == 0 || length == 0 || windows <= kMaxDenseMaskBytes / row_bytes / length) return {};
  return Error{
      ErrorCode::too_large,
      concat("a dense mask of ", windows, " x ", length, " x ", length, " cells exceeds the limit of ",
             kMaxDenseMaskBytes, " bytes: ask for fewer windows, a smaller form (boolean or packed), or one ",
             "without cells: key intervals, block lists, attends() or cu_seqlens")};
}

// One element a key.
template <class Element>
struct Cells {
  Element allowed;
  Element masked;

  static std::size_t row_size(std::uint32_t length) { return length; }
  void allow(Element* row, std::uint32_t begin, std::uint32_t end) const {
    std::fill(row + begin, row + end, allowed);
  }
};

// One bit a key, the first in the least significant place.
struct Bits {
  static constexpr std::uint8_t masked = 0;

  static std::size_t row_size(std::uint32_t length) { return packed_mask_row_bytes(length); }
  static void allow(std::uint8_t* row, std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    const std::uint32_t first = begin / 8;
    const std::uint32_t last = (end - 1) / 8;
    const auto from_begin = static_cast<std::uint8_t>(0xffu << begin % 8);
    const auto to_end = static_cast<std::uint8_t>(0xffu >> (7 - (end - 1) % 8));
    if (first == last) {
      row[first] = static_cast<std::uint8_t>(row[first] | (from_begin & to_end));
      return;
    }
    row[first] = static_cast<std::uint8_t>(row[first] | from_begin);
    std::fill(row + first + 1, row + last, std::uint8_t{0xff});
    row[last] = static_cast<std::uint8_t>(row[last] | to_end);
  }
};

template <class Element, class Form>
void write_row(Element* row, const QueryKeys& at, const MaskedWindow& window, const Form& form) {
  if (at.padding || !window.has_gaps()) {
    form.allow(row, at.keys.begin, at.keys.end);
    return;
  }
  for (const SegmentPositions& segment : window.segments()) {
    const std::uint32_t begin = std::max(at.keys.begin, segment.begin);
    const std::uint32_t end = std::min(at.keys.end, segment.end);
    if (begin < end) form.allow(row, begin, end);
  }
}

template <class Element, class Form>
Result<std::vector<Element>> dense_mask(const Plan& plan, WindowRange windows, const MaskOptions& options,
                                        const Form& form) {
  if (Status status = MaskedWindow::check(plan, windows, options); !status) return status.error();
  const std::uint32_t length = plan.options.context_length;
  const std::size_t row_size = form.row_size(length);
  if (Status status = check_size(windows.size(), length, std::uint64_t{row_size} * sizeof(Element)); !status)
    return status.error();
  std::vector<Element> cells(static_cast<std::size_t>(windows.size()) * length * row_size, form.masked);
  Element* rows = cells.data();
  MaskedWindow placed(options);
  for (std::uint64_t window = windows.first; window < windows.last; ++window) {
    if (Status status = placed.place(plan, window); !status) return status.error();
    placed.for_each_query(
        [&](const QueryKeys& at) { write_row(rows + at.query * row_size, at, placed, form); });
    rows += length * row_size;
  }
  return cells;
}

WindowRange only(std::uint64_t window) { return {window, window + 1}; }

}  // namespace

std::array<std::uint64_t, 4> dense_mask_shape(const Plan& plan, WindowRange windows) {
  const std::uint64_t length = plan.options.context_length;
  return {windows.size(), 1, length, length};
}

Result<std::vector<std::uint8_t>> boolean_mask(const Plan& plan, WindowRange windows,
                                               const MaskOptions& options) {
  return dense_mask<std::uint8_t>(plan, windows, options, Cells<std::uint8_t>{1, 0});
}

Result<std::vector<std::uint8_t>> packed_mask(const Plan& plan, WindowRange windows,
                                              const MaskOptions& options) {
  return dense_mask<std::uint8_t>(plan, windows, options, Bits{});
}

Result<std::vector<float>> additive_mask(const Plan& plan, WindowRange windows, const MaskOptions& options) {
  return dense_mask<float>(plan, windows, options, Cells<float>{0, kMinusInfinity});
}

Result<std::vector<std::uint16_t>> additive_mask_f16(const Plan& plan, WindowRange windows,
                                                     const MaskOptions& options) {
  return dense_mask<std::uint16_t>(plan, windows, options, Cells<std::uint16_t>{0, kMinusInfinityF16});
}

Result<std::vector<std::uint16_t>> additive_mask_bf16(const Plan& plan, WindowRange windows,
                                                      const MaskOptions& options) {
  return dense_mask<std::uint16_t>(plan, windows, options, Cells<std::uint16_t>{0, kMinusInfinityBf16});
}

Result<std::vector<std::uint8_t>> boolean_mask(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options) {
  return boolean_mask(plan, only(window), options);
}

Result<std::vector<std::uint8_t>> packed_mask(const Plan& plan, std::uint64_t window,
                                              const MaskOptions& options) {
  return packed_mask(plan, only(window), options);
}

Result<std::vector<float>> additive_mask(const Plan& plan, std::uint64_t window, const MaskOptions& options) {
  return additive_mask(plan, only(window), options);
}

Result<std::vector<std::uint16_t>> additive_mask_f16(const Plan& plan, std::uint64_t window,
                                                     const MaskOptions& options) {
  return additive_mask_f16(plan, only(window), options);
}

Result<std::vector<std::uint16_t>> additive_mask_bf16(const Plan& plan, std::uint64_t window,
                                                      const MaskOptions& options) {
  return additive_mask_bf16(plan, only(window), options);
}

Result<std::vector<float>> build_intra_document_mask(std::span<const std::int32_t> doc_ids) {
  const std::size_t n = doc_ids.size();
  if (Status status = check_size(1, n, std::uint64_t{n} * sizeof(float)); !status) return status.error();
  std::vector<float> mask(n * n, kMinusInfinity);
  for (std::size_t q = 0; q < n; ++q) {
    if (doc_ids[q] == -1) continue;
    float* row = mask.data() + q * n;
    for (std::size_t k = 0; k <= q; ++k) row[k] = doc_ids[k] == doc_ids[q] ? 0.0f : kMinusInfinity;
  }
  return mask;
}

}  // namespace packscope
