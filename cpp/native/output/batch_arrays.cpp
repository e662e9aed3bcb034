// SPDX-License-Identifier: MIT
#include "output/batch_arrays.hpp"

#include <algorithm>
#include <bit>

#include "message.hpp"

namespace packscope::native {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they stand in memory");

constexpr std::uint64_t kBytesPerPosition = 5 * sizeof(std::int32_t) + sizeof(std::uint8_t);

template <class Value>
constexpr std::string_view descr_of() {
  if constexpr (std::is_same_v<Value, std::uint8_t>) return "|u1";
  if constexpr (std::is_same_v<Value, std::uint16_t>) return "<u2";
  if constexpr (std::is_same_v<Value, std::int32_t>) return "<i4";
  if constexpr (std::is_same_v<Value, std::int64_t>) return "<i8";
  if constexpr (std::is_same_v<Value, std::uint32_t>) return "<u4";
  if constexpr (std::is_same_v<Value, std::uint64_t>) return "<u8";
}

template <class Values>
ArrayView view(std::string_view name, const Values& values, std::uint64_t columns, bool per_window = true) {
  using Value = std::remove_cv_t<typename Values::value_type>;
  return {name, descr_of<Value>(), sizeof(Value), columns, std::as_bytes(std::span(values)), per_window};
}

}  // namespace

std::string_view dtype_descr(DType dtype) {
  switch (dtype) {
    case DType::uint8:
      return "|u1";
    case DType::int32:
      return "<i4";
    case DType::int64:
      return "<i8";
    case DType::float64:
      return "<f8";
  }
  return {};
}

std::vector<ArrayView> batch_arrays(const Batch& batch, const Plan& plan, bool tokens_known,
                                    const std::vector<std::uint16_t>* narrow_ids) {
  const std::uint64_t length = plan.options.context_length;
  std::vector<ArrayView> arrays;
  if (tokens_known) {
    arrays.push_back(narrow_ids != nullptr ? view("input_ids", *narrow_ids, length)
                                           : view("input_ids", batch.input_ids, length));
    arrays.push_back(view("labels", batch.labels, length));
  }
  arrays.push_back(view("position_ids", batch.position_ids, length));
  arrays.push_back(batch.doc_ids_wide.empty() ? view("doc_ids", batch.doc_ids, length)
                                              : view("doc_ids", batch.doc_ids_wide, length));
  arrays.push_back(view("segment_ids", batch.segment_ids, length));
  arrays.push_back(view("loss_mask", batch.loss_mask, length));
  for (const BatchField& field : batch.fields) {
    arrays.push_back(
        {field.name, dtype_descr(field.dtype), dtype_size(field.dtype), length, field.values, true});
  }
  arrays.push_back(view("window_lengths", batch.window_lengths, 0));
  arrays.push_back(view("max_seqlen", batch.max_seqlen, 0));
  arrays.push_back(view("filler", batch.filler, 0));
  arrays.push_back(view("cu_seqlens", batch.cu_seqlens, 0, false));
  if (plan.options.document_multiple > 1) {
    arrays.push_back(view("cu_seqlens_padded", batch.cu_seqlens_padded, 0, false));
  }
  arrays.push_back(view(kOffsetsName, batch.cu_seqlens_offsets, 0, false));
  if (plan.options.cu_seqlens_width) arrays.push_back(view("cu_seqlens_count", batch.cu_seqlens_count, 0));
  return arrays;
}

PlanArrays::PlanArrays(std::span<const Segment> segments, std::span<const std::uint64_t> offsets)
    : window_offsets(offsets) {
  segment_document.reserve(segments.size());
  segment_offset.reserve(segments.size());
  segment_length.reserve(segments.size());
  for (const Segment& segment : segments) {
    segment_document.push_back(segment.document);
    segment_offset.push_back(segment.document_offset);
    segment_length.push_back(segment.length);
  }
}

std::vector<ArrayView> PlanArrays::views() const {
  return {view("segment_document", segment_document, 0, false),
          view("segment_offset", segment_offset, 0, false), view("segment_length", segment_length, 0, false),
          view("window_offsets", window_offsets, 0, false)};
}

Result<std::uint64_t> windows_in(std::uint64_t bytes, const Options& options, const Corpus& corpus) {
  std::uint64_t per_position = kBytesPerPosition;
  for (const FieldView& field : corpus.fields) per_position += dtype_size(field.dtype);
  const std::uint64_t per_window = per_position * options.context_length;
  if (per_window > kMaxWindowBytes) {
    return Error{ErrorCode::too_large, concat("one window of ", options.context_length, " tokens takes ",
                                              per_window, " bytes of arrays; the limit is ", kMaxWindowBytes,
                                              ". Use a shorter --context-length, or --plan-only")};
  }
  return std::max<std::uint64_t>(1, bytes / per_window);
}

}  // namespace packscope::native
