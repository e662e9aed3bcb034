// SPDX-License-Identifier: MIT
// Between JavaScript values and the types of the core. Large arrays cross in one copy each way, made by the
// two functions of `Module.boundary` (web/lib/boundary.ts): nothing that JavaScript holds points into this
// memory.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "packscope/packscope.hpp"
#include "packscope/render.hpp"

namespace packscope::wasm {

using emscripten::val;

// Answers: {value: ...} or {error: {code, message, document}}

val answer(const Error& error);
val answer(val value);
val answer(const Status& status);

// What `convert` makes of the value, or the error.
template <class T, class Convert>
val answer(const Result<T>& result, Convert convert) {
  return result ? answer(convert(*result)) : answer(result.error());
}

// The answer of `ask` to the value, or the error.
template <class T, class Ask>
val with(const Result<T>& result, Ask ask) {
  return result ? ask(*result) : answer(result.error());
}

// Arrays

template <class T>
inline constexpr const char* kArrayName = nullptr;
template <>
inline constexpr const char* kArrayName<std::uint8_t> = "Uint8Array";
template <>
inline constexpr const char* kArrayName<TraceKind> = "Uint8Array";
template <>
inline constexpr const char* kArrayName<std::uint16_t> = "Uint16Array";
template <>
inline constexpr const char* kArrayName<std::int32_t> = "Int32Array";
template <>
inline constexpr const char* kArrayName<std::uint32_t> = "Uint32Array";
template <>
inline constexpr const char* kArrayName<std::int64_t> = "BigInt64Array";
template <>
inline constexpr const char* kArrayName<float> = "Float32Array";
template <>
inline constexpr const char* kArrayName<double> = "Float64Array";

// `kind` is a typed array's name.
val copy_out(const char* kind, const void* data, std::size_t length);
// `array` has the elements' type.
void copy_in(const val& array, void* data);
// Over all of an existing typed array.
void copy_onto(const val& array, const void* data);

template <class Container>
val array_out(const Container& values) {
  return copy_out(kArrayName<typename Container::value_type>, values.data(), values.size());
}
// What counts segments and positions of one memory fits in 32 bits.
inline val offsets_out(std::span<const std::uint64_t> offsets) {
  Buffer<std::uint32_t> narrow(offsets.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) narrow[i] = static_cast<std::uint32_t>(offsets[i]);
  return array_out(narrow);
}
// One field of every row. Gathered here: JavaScript copies what stands side by side several times faster.
template <class Rows, class Row, class Field>
val column_out(const Rows& rows, Field Row::*field) {
  Buffer<Field> column(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) column[i] = rows[i].*field;
  return array_out(column);
}

// Nothing for undefined.
template <class T>
Buffer<T> array_in(const val& array) {
  if (array.isUndefined()) return {};
  Buffer<T> values(array["length"].as<std::size_t>());
  copy_in(array, values.data());
  return values;
}
std::vector<std::uint64_t> offsets_in(const val& array);  // of a Uint32Array
std::vector<std::string> strings_in(const val& array);
val strings_out(std::span<const std::string> strings);

// Options: a text of names and values in turn, a NUL behind each

Result<Options> options_in(const val& list);
Result<MaskOptions> mask_options_in(const val& list);
val options_out(const Options& options);
// {options, algorithms}: the tables of the core.
val description_out();

// Documents and tokens. These own what the views of the core look at.

class DocumentsIn {
 public:
  explicit DocumentsIn(const val& documents);
  [[nodiscard]] Documents view() const { return {lengths_, sources_, source_names_, duplicates_}; }

 private:
  Buffer<std::uint32_t> lengths_, sources_;
  std::vector<std::string> source_names_;
  Buffer<std::uint8_t> duplicates_;
};

class CorpusIn {
 public:
  explicit CorpusIn(const val& corpus);
  [[nodiscard]] Corpus view() const;
  [[nodiscard]] CorpusExcerpt excerpt() const { return {view(), document_lengths_}; }

 private:
  Buffer<std::int32_t> tokens_;
  std::vector<std::uint64_t> offsets_;
  Buffer<std::uint8_t> loss_mask_;
  Buffer<std::uint32_t> prompt_lengths_, document_lengths_, sources_;
  std::vector<std::string> source_names_;
  std::vector<BatchField> fields_;
  std::vector<FieldView> views_;
};

// Plans. What comes in may be part of one: its first window is number `first_window`.

val plan_out(const Plan& plan);
val windows_out(const WindowList& windows);
val traced_plan_out(const TracedPlan& traced);
Result<Plan> plan_in(const val& plan);
WindowRange range_in(const val& range);  // [first, last]

val ledger_out(const Ledger& ledger);
val stats_out(const Stats& stats);
val fates_out(std::span<const DocumentFate> fates);
val histogram_plan_out(const HistogramPlan& plan);
std::vector<LengthCount> histogram_in(const val& histogram);  // {lengths, counts}

// Arrays of windows

Result<BatchFields> batch_fields_in(const val& names);
val batch_out(const Batch& batch, const BatchFields& fields, bool wide);
val flat_out(const FlatWindows& flat);
Result<FlatWindows> flat_in(const val& flat);
val length_groups_out(const LengthGroups& groups);
val intervals_out(const std::vector<KeyInterval>& intervals);
val block_mask_out(const BlockMask& mask);
val block_counts_out(const BlockCounts& counts);

// Pictures. Numbers of windows and positions have fractions here and steps of 1 / kFine there.

Theme theme_in(const val& view);
WindowFieldView field_view_in(const val& view);
val field_view_out(const WindowFieldView& view);
RowsView rows_view_in(const val& view);
MaskView mask_view_in(const val& view, const MaskOptions& options);
val palette_out(const Palette& palette);
val window_out(std::optional<std::uint64_t> window);
val rows_hit_out(const std::optional<RowsHit>& hit);
val mask_hit_out(const std::optional<MaskHit>& hit);
val waste_out(const PlanOutline::Waste& waste);

}  // namespace packscope::wasm
