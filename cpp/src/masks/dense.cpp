// SPDX-License-Identifier: MIT
// Masks with a cell for each query and key, and key intervals, which replace them for long windows.
// Built row by row from intervals.
#include <limits>

#include "masks/key_rule.hpp"
#include "text.hpp"

namespace packscope {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

Status check_size(std::uint64_t length, std::string_view what) {
  if (length == 0 || length <= kMaxDenseMaskCells / length) return {};
  return Error{ErrorCode::too_large,
               concat("a dense mask of ", length, " x ", length, " cells (", what, ") exceeds the limit of ",
                      kMaxDenseMaskCells, " cells: use key_intervals(), attends() or cu_seqlens")};
}

Status check_prefix_lengths(std::span<const SegmentPositions> segments, const MaskOptions& options) {
  if (options.prefix_lengths.empty()) return {};
  for (const SegmentPositions& segment : segments) {
    if (segment.document < options.prefix_lengths.size()) continue;
    return Error{ErrorCode::length_mismatch,
                 concat("prefix_lengths has ", options.prefix_lengths.size(),
                        " entries, but the window holds document ", segment.document,
                        ": give one entry for each document"),
                 segment.document};
  }
  return {};
}

// One window, checked and placed, ready to be asked row by row.
struct MaskedWindow {
  std::vector<SegmentPositions> segments;
  std::uint32_t length = 0;
  std::uint32_t bos = 0;

  static Result<MaskedWindow> create(const Plan& plan, std::uint64_t window, const MaskOptions& options) {
    if (Status status = check_options(plan.options); !status) return status.error();
    if (options.sliding_window == 0u) {
      return invalid_option("sliding_window is 0: it counts the token itself, so it must be 1 or more");
    }
    const WindowRules rules(plan.options);
    MaskedWindow out;
    out.length = plan.options.context_length;
    out.bos = rules.bos;
    if (Status status = place_window(plan, window, rules, out.segments); !status) return status.error();
    cut_positions(out.segments, out.length);
    if (Status status = check_prefix_lengths(out.segments, options); !status) return status.error();
    return out;
  }

  // Calls row(q, begin, end) with keys that q attends to: once or more for each query that has any.
  template <class Row>
  void for_each_interval(const MaskOptions& options, Row row) const {
    std::uint32_t padding = 0;
    for (const SegmentPositions& segment : segments) {
      pad_until(segment.begin, padding, options, row);
      padding = segment.end;
      const std::uint32_t prefix = prefix_end(segment, options, bos);
      for (std::uint32_t q = segment.begin; q < segment.end; ++q) {
        real_keys(q, keys_of(q, segment, prefix, length, options), options, row);
      }
    }
    pad_until(length, padding, options, row);
  }

 private:
  template <class Row>
  static void pad_until(std::uint32_t end, std::uint32_t begin, const MaskOptions& options, Row& row) {
    if (options.padding_queries == PaddingQueries::masked) return;
    for (std::uint32_t q = begin; q < end; ++q) row(q, q, q + 1);
  }

  // Without the document rule, keys run over the padding between segments: leave it out.
  template <class Row>
  void real_keys(std::uint32_t q, KeyInterval keys, const MaskOptions& options, Row& row) const {
    if (options.document_mask) {
      row(q, keys.begin, keys.end);
      return;
    }
    for (const SegmentPositions& segment : segments) {
      const std::uint32_t begin = std::max(keys.begin, segment.begin);
      const std::uint32_t end = std::min(keys.end, segment.end);
      if (begin < end) row(q, begin, end);
    }
  }
};

template <class Cell>
Result<std::vector<Cell>> dense_mask(const Plan& plan, std::uint64_t window, const MaskOptions& options,
                                     Cell allowed, Cell masked) {
  const std::uint64_t length = plan.options.context_length;
  if (Status status = check_size(length, "context_length"); !status) return status.error();
  const Result<MaskedWindow> placed = MaskedWindow::create(plan, window, options);
  if (!placed) return placed.error();
  std::vector<Cell> cells(static_cast<std::size_t>(length * length), masked);
  placed->for_each_interval(options, [&](std::uint32_t q, std::uint32_t begin, std::uint32_t end) {
    Cell* row = cells.data() + static_cast<std::size_t>(q * length);
    std::fill(row + begin, row + end, allowed);
  });
  return cells;
}

}  // namespace

Result<std::vector<std::uint8_t>> boolean_mask(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options) {
  return dense_mask<std::uint8_t>(plan, window, options, 1, 0);
}

Result<std::vector<float>> additive_mask(const Plan& plan, std::uint64_t window, const MaskOptions& options) {
  return dense_mask<float>(plan, window, options, 0, kMasked);
}

Result<std::vector<KeyInterval>> key_intervals(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options) {
  if (!options.document_mask && plan.options.document_multiple > 1) {
    return invalid_option("document_mask=false with document_multiple ", plan.options.document_multiple,
                          " lets a query attend to several intervals: use attends() or a dense mask");
  }
  const Result<MaskedWindow> placed = MaskedWindow::create(plan, window, options);
  if (!placed) return placed.error();
  std::vector<KeyInterval> intervals(placed->length);
  placed->for_each_interval(options, [&](std::uint32_t q, std::uint32_t begin, std::uint32_t end) {
    KeyInterval& keys = intervals[q];
    // Neighbouring segments give pieces of one interval.
    keys = {keys.begin < keys.end ? keys.begin : begin, end};
  });
  return intervals;
}

Result<std::vector<float>> build_intra_document_mask(std::span<const std::int32_t> doc_ids) {
  const std::size_t n = doc_ids.size();
  if (Status status = check_size(n, "doc_ids"); !status) return status.error();
  std::vector<float> mask(n * n, kMasked);
  for (std::size_t q = 0; q < n; ++q) {
    if (doc_ids[q] == -1) continue;
    float* row = mask.data() + q * n;
    for (std::size_t k = 0; k <= q; ++k) row[k] = doc_ids[k] == doc_ids[q] ? 0.0f : kMasked;
  }
  return mask;
}

}  // namespace packscope
