// SPDX-License-Identifier: MIT
#include "packscope/operators.hpp"

#include <algorithm>

#include "position_rows.hpp"
#include "text.hpp"
#include "window_positions.hpp"

namespace packscope {
namespace {

Result<Plan> pack_corpus(const Corpus& corpus, const Options& options) {
  if (Status status = check_corpus(corpus, options); !status) return status.error();
  const std::vector<std::uint32_t> lengths = document_lengths(corpus);
  std::vector<std::uint8_t> duplicates;
  if (options.drop_duplicates) duplicates = find_duplicates(corpus);
  return pack({lengths, corpus.sources, corpus.source_names, duplicates}, options);
}

// Options under which materialize() writes stored windows whole, each mask entry beside its token.
Options stored_options(const Options& options) {
  Options stored = options;
  stored.context_length = stored_window_length(options);
  stored.extra_token = false;
  stored.labels = Labels::aligned;
  return stored;
}

Status check_flat(const FlatWindows& flat) {
  const Options& options = flat.plan.options;
  const std::uint64_t length = stored_window_length(options);
  if (length < 2) {
    return invalid_option(
        "context_length is 1: training needs an input and a label, so set extra_token or a ",
        "context_length of 2 or more");
  }
  if (options.document_multiple > 1) {
    return invalid_option("document_multiple is ", options.document_multiple,
                          ": inputs of context_length - 1 are no multiple of it; use materialize(), or "
                          "document_multiple=1");
  }
  const std::uint64_t windows = flat.plan.window_count();
  const auto fits = [&](std::uint64_t size, std::uint64_t element_size) {
    return size == windows * length * element_size;
  };
  bool complete = (flat.tokens.empty() || fits(flat.tokens.size(), 1)) && fits(flat.positions.size(), 1) &&
                  fits(flat.loss_mask.size(), 1);
  for (const BatchField& field : flat.fields) {
    complete = complete && fits(field.values.size(), dtype_size(field.dtype));
  }
  if (complete) return {};
  return Error{ErrorCode::length_mismatch,
               concat("an array of the flat windows does not have ", windows, " windows of ", length,
                      " entries: pass what pack_flat() returned")};
}

// The first `inputs` entries of each window of `inputs` + 1, each entry `size` elements.
template <class T>
std::vector<T> without_last(const std::vector<T>& stored, std::size_t inputs, std::size_t size = 1) {
  std::vector<T> out;
  const std::size_t stride = (inputs + 1) * size;
  out.reserve(stored.size() / stride * inputs * size);
  for (auto row = stored.begin(); row != stored.end(); row += static_cast<std::ptrdiff_t>(stride)) {
    out.insert(out.end(), row, row + static_cast<std::ptrdiff_t>(inputs * size));
  }
  return out;
}

template <class T>
std::vector<T> without_first(const std::vector<T>& stored, std::size_t inputs) {
  std::vector<T> out;
  out.reserve(stored.size() / (inputs + 1) * inputs);
  for (auto row = stored.begin(); row != stored.end(); row += static_cast<std::ptrdiff_t>(inputs + 1)) {
    out.insert(out.end(), row + 1, row + static_cast<std::ptrdiff_t>(inputs + 1));
  }
  return out;
}

std::vector<BatchField> without_last(const std::vector<BatchField>& stored, std::size_t inputs) {
  std::vector<BatchField> out;
  for (const BatchField& field : stored) {
    out.push_back({field.name, field.dtype, without_last(field.values, inputs, dtype_size(field.dtype))});
  }
  return out;
}

// Adds the arrays that follow from the plan alone.
Status add_position_arrays(Batch& batch, const Plan& plan) {
  const std::size_t length = batch.context_length;
  const std::size_t windows = static_cast<std::size_t>(plan.window_count());
  const WindowRules rules(plan.options);
  const bool wide = needs_wide_doc_ids(plan);
  batch.doc_ids.resize(wide ? 0 : windows * length);
  batch.doc_ids_wide.resize(wide ? windows * length : 0);
  batch.segment_ids.resize(windows * length);
  clear_cu_seqlens(batch);
  std::vector<SegmentPositions> segments;
  for (std::size_t window = 0; window < windows; ++window) {
    if (Status status = place_window(plan, window, rules, segments); !status) return status;
    cut_positions(segments, batch.context_length);
    const std::size_t at = window * length;
    if (wide) {
      write_doc_ids(segments, std::span(batch.doc_ids_wide).subspan(at, length));
    } else {
      write_doc_ids(segments, std::span(batch.doc_ids).subspan(at, length));
    }
    write_segment_ids(segments, std::span(batch.segment_ids).subspan(at, length));
    batch.window_lengths.push_back(count_tokens(segments));
    batch.filler.push_back(segments.empty() ? 1 : 0);
    if (Status status = append_cu_seqlens(batch, segments, plan.options, batch.context_length, window);
        !status) {
      return status;
    }
  }
  return {};
}

}  // namespace

Result<FlatWindows> pack_flat(const Corpus& corpus, const Options& options) {
  Result<Plan> plan = pack_corpus(corpus, options);
  if (!plan) return plan.error();
  const Options planned = std::exchange(plan->options, stored_options(options));
  BatchFields wanted;
  wanted.labels = wanted.doc_ids = wanted.segment_ids = wanted.cu_seqlens = false;
  Result<Batch> batch = materialize(*plan, corpus, {0, plan->window_count()}, wanted);
  if (!batch) return batch.error();
  plan->options = planned;
  return FlatWindows{*std::move(plan),
                     std::move(batch->input_ids),
                     std::move(batch->position_ids),
                     std::move(batch->loss_mask),
                     std::move(batch->fields),
                     std::move(batch->window_lengths)};
}

Result<Batch> to_training(const FlatWindows& flat) {
  if (Status status = check_flat(flat); !status) return status.error();
  Batch batch;
  batch.windows = {0, flat.plan.window_count()};
  batch.context_length = stored_window_length(flat.plan.options) - 1;
  const std::size_t inputs = batch.context_length;
  batch.input_ids = without_last(flat.tokens, inputs);
  batch.labels = without_first(flat.tokens, inputs);
  batch.position_ids = without_last(flat.positions, inputs);
  batch.loss_mask = without_first(flat.loss_mask, inputs);
  batch.fields = without_last(flat.fields, inputs);
  for (std::size_t i = 0; i < batch.labels.size(); ++i) {
    if (batch.loss_mask[i] == 0) batch.labels[i] = kIgnoredLabel;
  }
  if (Status status = add_position_arrays(batch, flat.plan); !status) return status.error();
  return batch;
}

Result<PackedExamples> pack_examples(std::span<const std::vector<std::int32_t>> examples,
                                     std::uint32_t context_length, std::int32_t pad_token) {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> offsets{0};
  for (const std::vector<std::int32_t>& example : examples) {
    tokens.insert(tokens.end(), example.begin(), example.end());
    offsets.push_back(tokens.size());
  }
  Corpus corpus;
  corpus.tokens = tokens;
  corpus.document_offsets = offsets;
  Options options;
  options.context_length = context_length;
  options.algorithm = Algorithm::wrap;
  options.pad_token_id = pad_token;

  const Result<Plan> plan = pack_corpus(corpus, options);
  if (!plan) return plan.error();
  Result<Batch> batch = materialize(*plan, corpus, {0, plan->window_count()});
  if (!batch) return batch.error();
  return PackedExamples{context_length, std::move(batch->input_ids), std::move(batch->doc_ids)};
}

namespace internal {

Result<Plan> plan_records(std::span<const std::uint64_t> lengths, const Options& options) {
  if (options.separator_id || options.bos_id) {
    return invalid_option(
        options.separator_id ? "separator_id" : "bos_id",
        " is set, but pack_sequences cannot add a token to a record: add it to the records, or "
        "use pack_flat");
  }
  if (options.drop_duplicates) {
    return invalid_option(
        "drop_duplicates is set, but pack_sequences does not compare records: use pack_flat, or "
        "leave duplicates out");
  }
  std::vector<std::uint32_t> narrow;
  narrow.reserve(lengths.size());
  for (const std::uint64_t length : lengths) {
    if (length > kMaxDocumentLength) {
      return Error{ErrorCode::too_large,
                   concat("record ", narrow.size(), " has ", length, " tokens, more than the limit of ",
                          kMaxDocumentLength, ": split it into several records"),
                   narrow.size()};
    }
    narrow.push_back(static_cast<std::uint32_t>(length));
  }
  return pack({narrow, {}, {}, {}}, options);
}

}  // namespace internal
}  // namespace packscope
