// SPDX-License-Identifier: MIT
// What JavaScript can call of the core. Each function converts, calls the core once, and converts back; it
// computes nothing. web/lib/raw.ts holds the same list with its types.
#include <emscripten/bind.h>

#include <new>

#include "handles.hpp"
#include "marshal.hpp"

namespace packscope::wasm {
namespace {

val describe() {
  val out = val::object();
  out.set("options", option_table_out());
  out.set("algorithms", algorithms_out());
  return out;
}

val check_options_of(const val& options) {
  const Result<Options> given = options_in(options);
  if (!given) return answer(given.error());
  const Status status = check_options(*given);
  return status ? answer(options_out(*given)) : answer(status.error());
}

val pack_documents(const val& options, const val& documents) {
  const Result<Options> given = options_in(options);
  if (!given) return answer(given.error());
  return answer(pack(DocumentsIn(documents).view(), *given), plan_out);
}

val duplicates_of(const val& corpus) { return array_out(find_duplicates(CorpusIn(corpus).view())); }

val fingerprint_of(const val& plan) {
  return answer(plan_in(plan), [](const Plan& made) { return val(fingerprint_text(fingerprint(made))); });
}

val stats_of(const val& plan, const val& documents) {
  const Result<Plan> made = plan_in(plan);
  return made ? answer(stats(*made, DocumentsIn(documents).view()), stats_out) : answer(made.error());
}

val stats_of_corpus(const val& plan, const val& corpus) {
  const Result<Plan> made = plan_in(plan);
  return made ? answer(stats(*made, CorpusIn(corpus).view()), stats_out) : answer(made.error());
}

val validate_plan(const val& plan, const val& documents) {
  const Result<Plan> made = plan_in(plan);
  return made ? answer(validate(*made, DocumentsIn(documents).view())) : answer(made.error());
}

val fates_of(const val& plan, const val& documents) {
  const Result<Plan> made = plan_in(plan);
  if (!made) return answer(made.error());
  return answer(fates_out(document_fates(*made, DocumentsIn(documents).view())));
}

val materialize_windows(const val& plan, const val& excerpt, const val& range, const val& names, bool wide) {
  const Result<Plan> made = plan_in(plan);
  if (!made) return answer(made.error());
  const Result<BatchFields> fields = batch_fields_in(names);
  if (!fields) return answer(fields.error());
  const CorpusIn tokens(excerpt);
  return answer(materialize(*made, tokens.excerpt(), range_in(range), *fields),
                [&](const Batch& batch) { return batch_out(batch, *fields, wide); });
}

val plan_arrays(const val& plan, const val& range, const val& names, bool wide) {
  const Result<Plan> made = plan_in(plan);
  if (!made) return answer(made.error());
  const Result<BatchFields> fields = batch_fields_in(names);
  if (!fields) return answer(fields.error());
  return answer(materialize(*made, range_in(range), *fields),
                [&](const Batch& batch) { return batch_out(batch, *fields, wide); });
}

val exact_from_histogram_of(const val& options) {
  return answer(options_in(options), [](const Options& given) { return val(exact_from_histogram(given)); });
}

val pack_histogram_of(const val& options, const val& histogram) {
  const Result<Options> given = options_in(options);
  if (!given) return answer(given.error());
  return answer(pack_histogram(histogram_in(histogram), *given), histogram_plan_out);
}

val draw_lengths_of(const val& histogram, double size, double seed) {
  return array_out(draw_lengths(histogram_in(histogram), static_cast<std::uint64_t>(size),
                                static_cast<std::uint64_t>(seed)));
}

val estimate_histogram_of(const val& options, const val& histogram, const val& drawn) {
  const Result<Options> given = options_in(options);
  if (!given) return answer(given.error());
  const Buffer<std::uint32_t> lengths = array_in<std::uint32_t>(drawn);
  return answer(estimate_histogram(histogram_in(histogram), lengths, *given), histogram_plan_out);
}

val group_lengths(const val& lengths, double max_tokens, double max_rows, std::uint32_t pad_to) {
  const GroupByLengthOptions options{static_cast<std::uint64_t>(max_tokens),
                                     static_cast<std::uint64_t>(max_rows), pad_to};
  return answer(group_by_length(array_in<std::uint32_t>(lengths), options), length_groups_out);
}

// Operators

val pack_flat_of(const val& options, const val& corpus) {
  const Result<Options> given = options_in(options);
  return given ? answer(pack_flat(CorpusIn(corpus).view(), *given), flat_out) : answer(given.error());
}

val to_training_of(const val& flat, bool wide) {
  const Result<FlatWindows> made = flat_in(flat);
  if (!made) return answer(made.error());
  return answer(to_training(*made), [&](const Batch& batch) { return batch_out(batch, {}, wide); });
}

val intra_document_mask(const val& doc_ids) {
  return answer(build_intra_document_mask(array_in<std::int32_t>(doc_ids)),
                [](const std::vector<float>& mask) { return array_out(mask); });
}

// Masks. `prefix_lengths` and the windows of `plan` may be as much of them as the range needs.

template <class Ask>
val ask_mask(const val& plan, const val& options, const val& prefix_lengths, Ask ask) {
  const Result<Plan> made = plan_in(plan);
  if (!made) return answer(made.error());
  Result<MaskOptions> masks = mask_options_in(options);
  if (!masks) return answer(masks.error());
  const Buffer<std::uint32_t> prefixes = array_in<std::uint32_t>(prefix_lengths);
  masks->prefix_lengths = prefixes;
  return ask(*made, *masks);
}

val attends_of(const val& plan, const val& options, const val& prefixes, double window, std::uint32_t query,
               std::uint32_t key) {
  return ask_mask(plan, options, prefixes, [&](const Plan& made, const MaskOptions& masks) {
    return answer(val(attends(made, static_cast<std::uint64_t>(window), query, key, masks)));
  });
}

val key_intervals_of(const val& plan, const val& options, const val& prefixes, double window) {
  return ask_mask(plan, options, prefixes, [&](const Plan& made, const MaskOptions& masks) {
    return answer(key_intervals(made, static_cast<std::uint64_t>(window), masks),
                  [](const std::vector<KeyInterval>& keys) { return intervals_out(keys); });
  });
}

template <class T>
using DenseMask = Result<std::vector<T>> (*)(const Plan&, WindowRange, const MaskOptions&);

template <class T, DenseMask<T> kMask>
val dense_mask(const val& plan, const val& options, const val& prefixes, const val& range) {
  return ask_mask(plan, options, prefixes, [&](const Plan& made, const MaskOptions& masks) {
    return answer(kMask(made, range_in(range), masks),
                  [](const std::vector<T>& cells) { return array_out(cells); });
  });
}

val block_mask_of(const val& plan, const val& options, const val& prefixes, const val& range,
                  std::uint32_t queries, std::uint32_t keys) {
  return ask_mask(plan, options, prefixes, [&](const Plan& made, const MaskOptions& masks) {
    return answer(block_mask(made, range_in(range), masks, {queries, keys}), block_mask_out);
  });
}

val count_blocks_of(const val& plan, const val& options, const val& prefixes, const val& range,
                    std::uint32_t queries, std::uint32_t keys) {
  return ask_mask(plan, options, prefixes, [&](const Plan& made, const MaskOptions& masks) {
    return answer(count_blocks(made, range_in(range), masks, {queries, keys}), block_counts_out);
  });
}

// Pictures

val palette_of(const val& view) { return palette_out(packscope::palette(theme_in(view))); }

val fit_field_of(double windows, std::uint32_t width, std::uint32_t height, std::uint32_t max_cell_px) {
  return field_view_out(fit_field(static_cast<std::uint64_t>(windows), width, height, max_cell_px));
}

std::uint32_t document_color_of(double window, double index) {
  return document_color(static_cast<std::uint64_t>(window), static_cast<std::uint64_t>(index));
}

// Memory that cannot be had ends this engine: `outOfMemory` throws in JavaScript.
void end_without_memory() { val::module_property("boundary").call<void>("outOfMemory"); }

}  // namespace
}  // namespace packscope::wasm

EMSCRIPTEN_BINDINGS(packscope) {
  using namespace packscope::wasm;
  using emscripten::class_;
  using emscripten::function;
  std::set_new_handler(end_without_memory);
  function("describe", &describe);
  function("checkOptions", &check_options_of);
  function("pack", &pack_documents);
  function("findDuplicates", &duplicates_of);
  function("fingerprint", &fingerprint_of);
  function("stats", &stats_of);
  function("statsOfCorpus", &stats_of_corpus);
  function("validate", &validate_plan);
  function("fates", &fates_of);
  function("materialize", &materialize_windows);
  function("planArrays", &plan_arrays);
  function("exactFromHistogram", &exact_from_histogram_of);
  function("packHistogram", &pack_histogram_of);
  function("drawLengths", &draw_lengths_of);
  function("estimateHistogram", &estimate_histogram_of);
  function("groupByLength", &group_lengths);
  function("packFlat", &pack_flat_of);
  function("toTraining", &to_training_of);
  function("buildIntraDocumentMask", &intra_document_mask);
  function("attends", &attends_of);
  function("keyIntervals", &key_intervals_of);
  function("booleanMask", &dense_mask<std::uint8_t, &packscope::boolean_mask>);
  function("packedMask", &dense_mask<std::uint8_t, &packscope::packed_mask>);
  function("additiveMask", &dense_mask<float, &packscope::additive_mask>);
  function("additiveMaskF16", &dense_mask<std::uint16_t, &packscope::additive_mask_f16>);
  function("additiveMaskBf16", &dense_mask<std::uint16_t, &packscope::additive_mask_bf16>);
  function("blockMask", &block_mask_of);
  function("countBlocks", &count_blocks_of);
  function("palette", &palette_of);
  function("fitField", &fit_field_of);
  function("documentColor", &document_color_of);
  class_<StreamHandle>("Stream")
      .constructor<>()
      .function("open", &StreamHandle::open)
      .function("push", &StreamHandle::push)
      .function("plannedEnds", &StreamHandle::planned_ends)
      .function("takeClosed", &StreamHandle::take_closed)
      .function("finish", &StreamHandle::finish)
      .function("takePlan", &StreamHandle::take_plan);
  class_<DrawingHandle>("Drawing")
      .constructor<>()
      .function("open", &DrawingHandle::open)
      .function("drawField", &DrawingHandle::draw_field)
      .function("drawRows", &DrawingHandle::draw_rows)
      .function("drawMask", &DrawingHandle::draw_mask)
      .function("fieldHit", &DrawingHandle::field_hit)
      .function("rowsHit", &DrawingHandle::rows_hit)
      .function("maskHit", &DrawingHandle::mask_hit)
      .function("waste", &DrawingHandle::waste);
}
