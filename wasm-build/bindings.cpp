// SPDX-License-Identifier: MIT
// What JavaScript can call of the core. Each function converts, calls the core once, and converts back; it
// computes nothing. web/lib/raw.ts holds the same list with its types.
#include <emscripten/bind.h>

#include "handles.hpp"
#include "marshal.hpp"

namespace packscope::wasm {
namespace {

template <class Ask>
val ask_mask(const val& plan, const val& options, const val& prefix_lengths, Ask ask) {
  return with(plan_in(plan), [&](const Plan& made) {
    return with(mask_options_in(options), [&](MaskOptions masks) {
      const Buffer<std::uint32_t> prefixes = array_in<std::uint32_t>(prefix_lengths);
      masks.prefix_lengths = prefixes;
      return ask(made, masks);
    });
  });
}

template <class T>
using DenseMask = Result<std::vector<T>> (*)(const Plan&, WindowRange, const MaskOptions&);

template <class T, DenseMask<T> kMask>
val dense_mask(const val& plan, const val& options, const val& prefixes, const val& range) {
  return ask_mask(plan, options, prefixes, [&](const Plan& made, const MaskOptions& masks) {
    return answer(kMask(made, range_in(range), masks), array_out<std::vector<T>>);
  });
}

// A function of this file: bind("name", [](const val& argument) { return val(...); }).
template <class Function>
void bind(const char* name, Function function) {
  emscripten::function(name, emscripten::optional_override(function));
}

void bind_plans() {
  bind("describe", [] { return description_out(); });
  bind("checkOptions", [](const val& options) {
    return with(options_in(options), [](const Options& given) {
      const Status status = check_options(given);
      return status ? answer(options_out(given)) : answer(status.error());
    });
  });
  bind("pack", [](const val& options, const val& documents) {
    return with(options_in(options), [&](const Options& given) {
      return answer(pack(DocumentsIn(documents).view(), given), plan_out);
    });
  });
  bind("trace", [](const val& options, const val& documents, double max_steps) {
    return with(options_in(options), [&](const Options& given) {
      const DocumentsIn all(documents);
      return answer(pack_traced(all.view(), given, static_cast<std::uint64_t>(max_steps)), traced_plan_out);
    });
  });
  bind("findDuplicates",
       [](const val& corpus) { return array_out(find_duplicates(CorpusIn(corpus).view())); });
  bind("fingerprint", [](const val& plan) {
    return answer(plan_in(plan), [](const Plan& made) { return val(fingerprint_text(fingerprint(made))); });
  });
  bind("stats", [](const val& plan, const val& documents) {
    return with(plan_in(plan), [&](const Plan& made) {
      return answer(stats(made, DocumentsIn(documents).view()), stats_out);
    });
  });
  bind("statsOfCorpus", [](const val& plan, const val& corpus) {
    return with(plan_in(plan),
                [&](const Plan& made) { return answer(stats(made, CorpusIn(corpus).view()), stats_out); });
  });
  bind("validate", [](const val& plan, const val& documents) {
    return with(plan_in(plan),
                [&](const Plan& made) { return answer(validate(made, DocumentsIn(documents).view())); });
  });
  bind("fates", [](const val& plan, const val& documents) {
    return with(plan_in(plan), [&](const Plan& made) {
      return answer(fates_out(document_fates(made, DocumentsIn(documents).view())));
    });
  });
  bind("exactFromHistogram", [](const val& options) {
    return answer(options_in(options), [](const Options& given) { return val(exact_from_histogram(given)); });
  });
  bind("packHistogram", [](const val& options, const val& histogram) {
    return with(options_in(options), [&](const Options& given) {
      return answer(pack_histogram(histogram_in(histogram), given), histogram_plan_out);
    });
  });
  bind("drawLengths", [](const val& histogram, double size, double seed) {
    return array_out(draw_lengths(histogram_in(histogram), static_cast<std::uint64_t>(size),
                                  static_cast<std::uint64_t>(seed)));
  });
  bind("estimateHistogram", [](const val& options, const val& histogram, const val& drawn) {
    return with(options_in(options), [&](const Options& given) {
      const Buffer<std::uint32_t> lengths = array_in<std::uint32_t>(drawn);
      return answer(estimate_histogram(histogram_in(histogram), lengths, given), histogram_plan_out);
    });
  });
  bind("groupByLength", [](const val& lengths, double max_tokens, double max_rows, std::uint32_t pad_to) {
    const GroupByLengthOptions options{static_cast<std::uint64_t>(max_tokens),
                                       static_cast<std::uint64_t>(max_rows), pad_to};
    return answer(group_by_length(array_in<std::uint32_t>(lengths), options), length_groups_out);
  });
}

void bind_arrays() {
  bind("materialize", [](const val& plan, const val& excerpt, const val& range, const val& names, bool wide) {
    return with(plan_in(plan), [&](const Plan& made) {
      return with(batch_fields_in(names), [&](const BatchFields& fields) {
        const CorpusIn tokens(excerpt);
        return answer(materialize(made, tokens.excerpt(), range_in(range), fields),
                      [&](const Batch& batch) { return batch_out(batch, fields, wide); });
      });
    });
  });
  bind("planArrays", [](const val& plan, const val& range, const val& names, bool wide) {
    return with(plan_in(plan), [&](const Plan& made) {
      return with(batch_fields_in(names), [&](const BatchFields& fields) {
        return answer(materialize(made, range_in(range), fields),
                      [&](const Batch& batch) { return batch_out(batch, fields, wide); });
      });
    });
  });
  bind("packFlat", [](const val& options, const val& corpus) {
    return with(options_in(options), [&](const Options& given) {
      return answer(pack_flat(CorpusIn(corpus).view(), given), flat_out);
    });
  });
  bind("toTraining", [](const val& flat, bool wide) {
    return with(flat_in(flat), [&](const FlatWindows& made) {
      return answer(to_training(made), [&](const Batch& batch) { return batch_out(batch, {}, wide); });
    });
  });
}

// `prefixes` and the windows of `plan` may be as much of them as the range needs.
void bind_masks() {
  using Plan = const val&;
  using Value = const val&;
  bind("attends",
       [](Plan plan, Value options, Value prefixes, double window, std::uint32_t q, std::uint32_t k) {
         return ask_mask(plan, options, prefixes, [&](const packscope::Plan& made, const MaskOptions& masks) {
           return answer(val(attends(made, static_cast<std::uint64_t>(window), q, k, masks)));
         });
       });
  bind("keyIntervals", [](Plan plan, Value options, Value prefixes, double window) {
    return ask_mask(plan, options, prefixes, [&](const packscope::Plan& made, const MaskOptions& masks) {
      return answer(key_intervals(made, static_cast<std::uint64_t>(window), masks), intervals_out);
    });
  });
  bind("blockMask",
       [](Plan plan, Value options, Value prefixes, Value range, std::uint32_t q, std::uint32_t k) {
         return ask_mask(plan, options, prefixes, [&](const packscope::Plan& made, const MaskOptions& masks) {
           return answer(block_mask(made, range_in(range), masks, {q, k}), block_mask_out);
         });
       });
  bind("countBlocks",
       [](Plan plan, Value options, Value prefixes, Value range, std::uint32_t q, std::uint32_t k) {
         return ask_mask(plan, options, prefixes, [&](const packscope::Plan& made, const MaskOptions& masks) {
           return answer(count_blocks(made, range_in(range), masks, {q, k}), block_counts_out);
         });
       });
  emscripten::function("booleanMask", &dense_mask<std::uint8_t, &boolean_mask>);
  emscripten::function("packedMask", &dense_mask<std::uint8_t, &packed_mask>);
  emscripten::function("additiveMask", &dense_mask<float, &additive_mask>);
  emscripten::function("additiveMaskF16", &dense_mask<std::uint16_t, &additive_mask_f16>);
  emscripten::function("additiveMaskBf16", &dense_mask<std::uint16_t, &additive_mask_bf16>);
  bind("buildIntraDocumentMask", [](const val& doc_ids) {
    return answer(build_intra_document_mask(array_in<std::int32_t>(doc_ids)), array_out<std::vector<float>>);
  });
}

}  // namespace
}  // namespace packscope::wasm

EMSCRIPTEN_BINDINGS(packscope) {
  packscope::wasm::bind_plans();
  packscope::wasm::bind_arrays();
  packscope::wasm::bind_masks();
  packscope::wasm::bind_handles();
}
