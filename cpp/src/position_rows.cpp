// SPDX-License-Identifier: MIT
#include "position_rows.hpp"

#include <algorithm>

#include "text.hpp"

namespace packscope {
namespace {

void count_up(std::span<std::int32_t> row, std::uint32_t begin, std::uint32_t end, std::uint32_t first) {
  std::int32_t* out = row.data() + begin;
  const std::uint32_t count = end - begin;
  for (std::uint32_t i = 0; i < count; ++i) out[i] = static_cast<std::int32_t>(first + i);
}

template <class Id>
void fill(std::span<Id> row, std::uint32_t begin, std::uint32_t end, Id value) {
  std::fill(row.data() + begin, row.data() + end, value);
}

template <class Id>
void fill_doc_ids(std::span<const SegmentPositions> segments, std::span<Id> row) {
  for (const SegmentPositions& segment : segments) {
    fill(row, segment.begin, segment.end, static_cast<Id>(segment.document));
    fill(row, segment.end, segment.next, Id{-1});
  }
  std::fill(row.begin() + tail_begin(segments), row.end(), Id{-1});
}

void repeat_total(std::vector<std::int32_t>& entries, std::size_t size) {
  entries.resize(size, entries.back());
}

}  // namespace

void write_position_ids(std::span<const SegmentPositions> segments, const Options& options,
                        std::span<std::int32_t> row) {
  const bool restart = options.position_ids == PositionIds::restart;
  for (const SegmentPositions& segment : segments) {
    count_up(row, segment.begin, segment.next, restart ? 0 : segment.document_offset);
  }
  const std::uint32_t tail = tail_begin(segments);
  if (options.padding_position_ids == PaddingPositionIds::zeros) {
    std::fill(row.begin() + tail, row.end(), 0);
  } else {
    count_up(row, tail, static_cast<std::uint32_t>(row.size()), 0);
  }
}

void write_doc_ids(std::span<const SegmentPositions> segments, std::span<std::int32_t> row) {
  fill_doc_ids(segments, row);
}

void write_doc_ids(std::span<const SegmentPositions> segments, std::span<std::int64_t> row) {
  fill_doc_ids(segments, row);
}

void write_segment_ids(std::span<const SegmentPositions> segments, std::span<std::int32_t> row) {
  std::int32_t id = 0;
  for (const SegmentPositions& segment : segments) {
    fill(row, segment.begin, segment.end, ++id);
    fill(row, segment.end, segment.next, 0);
  }
  std::fill(row.begin() + tail_begin(segments), row.end(), 0);
}

bool needs_wide_doc_ids(const WindowList& windows) {
  return std::any_of(windows.segments.begin(), windows.segments.end(),
                     [](const Segment& segment) { return segment.document > INT32_MAX; });
}

std::int32_t count_tokens(std::span<const SegmentPositions> segments) {
  std::uint32_t tokens = 0;
  for (const SegmentPositions& segment : segments) tokens += segment.length();
  return static_cast<std::int32_t>(tokens);
}

void clear_cu_seqlens(Batch& batch) {
  batch.cu_seqlens.clear();
  batch.cu_seqlens_padded.clear();
  batch.cu_seqlens_offsets.assign(1, 0);
  batch.cu_seqlens_count.clear();
  batch.max_seqlen.clear();
}

Status append_cu_seqlens(Batch& batch, std::span<const SegmentPositions> segments, const Options& options,
                         std::uint32_t length, std::uint64_t window) {
  const std::uint32_t tail = tail_begin(segments);
  const bool lists_tail = options.cu_seqlens == CuSeqlens::window && tail < length;
  const std::size_t count = 1 + segments.size() + (lists_tail ? 1 : 0);
  const std::optional<std::uint32_t> width = options.cu_seqlens_width;
  if (width && count > *width) {
    return Error{ErrorCode::invalid_option, concat("cu_seqlens_width is ", *width, ", but window ", window,
                                                   " has ", count, " entries: set cu_seqlens_width to ",
                                                   count, " or more, or limit max_documents_per_window")};
  }

  std::uint32_t total = 0;
  std::uint32_t longest = 0;
  const auto append = [&](std::uint32_t tokens) {
    total += tokens;
    longest = std::max(longest, tokens);
    batch.cu_seqlens.push_back(static_cast<std::int32_t>(total));
  };
  append(0);
  for (const SegmentPositions& segment : segments) append(segment.length());
  if (lists_tail) append(length - tail);

  if (options.document_multiple > 1) {
    batch.cu_seqlens_padded.push_back(0);
    for (const SegmentPositions& segment : segments) {
      batch.cu_seqlens_padded.push_back(static_cast<std::int32_t>(segment.next));
    }
    if (lists_tail) batch.cu_seqlens_padded.push_back(static_cast<std::int32_t>(length));
  }
  if (width) {
    const std::size_t size = static_cast<std::size_t>(batch.cu_seqlens_offsets.back()) + *width;
    repeat_total(batch.cu_seqlens, size);
    if (options.document_multiple > 1) repeat_total(batch.cu_seqlens_padded, size);
    batch.cu_seqlens_count.push_back(static_cast<std::int32_t>(count));
  }
  batch.cu_seqlens_offsets.push_back(batch.cu_seqlens.size());
  batch.max_seqlen.push_back(static_cast<std::int32_t>(longest));
  return {};
}

}  // namespace packscope
