// SPDX-License-Identifier: MIT
// The arrays of a window that follow from its segments' positions alone, without any token.
// Each function fills one row from left to right.
#pragma once

#include <cstdint>
#include <span>

#include "packscope/batch.hpp"
#include "window_positions.hpp"

namespace packscope {

void write_position_ids(std::span<const SegmentPositions> segments, const Options& options,
                        std::span<std::int32_t> row);
void write_doc_ids(std::span<const SegmentPositions> segments, std::span<std::int32_t> row);
void write_doc_ids(std::span<const SegmentPositions> segments, std::span<std::int64_t> row);
void write_segment_ids(std::span<const SegmentPositions> segments, std::span<std::int32_t> row);

// Whether doc_ids of this plan need 64 bits. All of it counts, whatever is written: its batches have
// one dtype.
bool needs_wide_doc_ids(const WindowList& windows);

// Tokens among the positions of a window.
std::int32_t count_tokens(std::span<const SegmentPositions> segments);

// Forgets the cu_seqlens of all windows, so that those of window after window can be appended.
void clear_cu_seqlens(Batch& batch);

// Appends the cu_seqlens of a window of `length` positions, with the padded twin, count and max_seqlen
// where they belong. `window` is for the error: more entries than cu_seqlens_width.
Status append_cu_seqlens(Batch& batch, std::span<const SegmentPositions> segments, const Options& options,
                         std::uint32_t length, std::uint64_t window);

}  // namespace packscope
