// SPDX-License-Identifier: MIT
// Batches from a plan and its corpus. Work is per segment, not per token: each array of a window is
// written once, from left to right, by a few fills and copies.
#include <algorithm>
#include <cstring>
#include <limits>

#include "packscope/batch.hpp"
#include "position_rows.hpp"
#include "text.hpp"
#include "window_positions.hpp"

namespace packscope {
namespace {

// What stands at the positions of one placed segment: [BOS] tokens of the document [separator].
struct SegmentContent {
  std::uint64_t first_token = 0;    // in the corpus: the token at tokens_begin
  std::uint32_t tokens_begin = 0;   // positions of document tokens; BOS is before them,
  std::uint32_t tokens_end = 0;     // the separator after
  std::uint32_t targets_begin = 0;  // [targets_begin, tokens_end) are targets, unless masked
  bool bos_is_target = false;
  bool separator_is_target = false;
};

Error wrong_corpus(std::uint64_t window, const SegmentPositions& segment) {
  return {ErrorCode::invalid_argument,
          concat("window ", window, " holds ", segment.length(), " tokens from offset ",
                 segment.document_offset, " of document ", segment.document, ", which the corpus does not ",
                 "hold there under the plan's options: pass the corpus that the plan was made of"),
          segment.document};
}

// A stretch of a document's tokens in the arrays of a corpus.
struct KnownTokens {
  std::uint32_t document_length = 0;
  std::uint32_t prompt_length = 0;
  std::uint32_t first = 0;  // token of the document that stands at `begin`
  std::uint64_t begin = 0;  // [begin, end) in the arrays
  std::uint64_t end = 0;
};

// Where the arrays hold the tokens of a segment: by its document in a whole corpus, by its number in an
// excerpt. Nothing where they do not.
class TokenLocator {
 public:
  TokenLocator() = default;  // of a plan without its corpus
  explicit TokenLocator(const Corpus& corpus) : corpus_(corpus), kind_(Kind::whole) {}
  TokenLocator(const CorpusExcerpt& excerpt, std::uint64_t first_segment)
      : corpus_(excerpt.segments),
        excerpt_lengths_(excerpt.document_lengths),
        first_segment_(first_segment),
        kind_(Kind::excerpt) {}

  [[nodiscard]] const Corpus& corpus() const { return corpus_; }
  [[nodiscard]] bool has_documents() const { return kind_ != Kind::none; }
  // An excerpt may happen to have no token where the corpus has.
  [[nodiscard]] bool has_tokens() const { return kind_ == Kind::excerpt || corpus_.has_tokens(); }
  // In a whole corpus, ids that do not fit 31 bits need a document for each of them.
  [[nodiscard]] bool may_have_wide_ids() const {
    return kind_ != Kind::whole || corpus_.document_count() > INT32_MAX;
  }

  // `number` counts the plan's segments.
  [[nodiscard]] std::optional<KnownTokens> find(std::uint64_t number, const SegmentPositions& segment,
                                                const WindowRules& rules) const {
    const bool is_excerpt = kind_ == Kind::excerpt;
    const std::uint64_t entry = is_excerpt ? number - first_segment_ : segment.document;
    if (entry >= corpus_.document_count()) return std::nullopt;
    const auto at = static_cast<std::size_t>(entry);
    KnownTokens known;
    known.begin = corpus_.document_offsets[at];
    known.end = corpus_.document_offsets[at + 1];
    if (known.begin > known.end || known.end > corpus_.document_offsets.back()) return std::nullopt;
    const std::uint64_t length = is_excerpt ? excerpt_lengths_[at] : known.end - known.begin;
    if (length == 0 || length > kMaxDocumentLength) return std::nullopt;
    known.document_length = static_cast<std::uint32_t>(length);
    if (is_excerpt) known.first = segment.document_offset - std::min(segment.document_offset, rules.bos);
    if (!corpus_.prompt_lengths.empty()) known.prompt_length = corpus_.prompt_lengths[at];
    return known;
  }

 private:
  enum class Kind : std::uint8_t { none, whole, excerpt };

  Corpus corpus_;
  std::span<const std::uint32_t> excerpt_lengths_;
  std::uint64_t first_segment_ = 0;
  Kind kind_ = Kind::none;
};

// Finds the content of placed segments in the corpus, and refuses one that is not there.
class ContentFinder {
 public:
  ContentFinder(const TokenLocator& tokens, const Options& options, const WindowRules& rules)
      : tokens_(tokens), options_(options), rules_(rules) {}

  // `number` is that of the window's first segment in the plan.
  Status find(std::uint64_t window, std::uint64_t number, std::span<const SegmentPositions> segments,
              std::vector<SegmentContent>& contents) const {
    contents.clear();
    std::uint32_t previous_end = 0;
    for (const SegmentPositions& segment : segments) {
      const std::optional<KnownTokens> known = tokens_.find(number++, segment, rules_);
      if (!known) return wrong_corpus(window, segment);
      const std::optional<DocumentLayout> layout = planned_tokens(segment, known->document_length);
      if (!layout) return wrong_corpus(window, segment);
      if (Status status = check_position_ids(segment); !status) return status;
      const bool follows_token = segment.begin > 0 && segment.begin == previous_end;
      const bool first_has_label = options_.cross_boundary_labels && follows_token;
      contents.push_back(content(segment, *layout, *known, first_has_label));
      const SegmentContent& found = contents.back();
      if (found.first_token + (found.tokens_end - found.tokens_begin) > known->end) {
        return wrong_corpus(window, segment);
      }
      previous_end = segment.end;
    }
    return {};
  }

 private:
  // The planned tokens of a document of `length`, if the segment lies within them.
  [[nodiscard]] std::optional<DocumentLayout> planned_tokens(const SegmentPositions& segment,
                                                             std::uint32_t length) const {
    const DocumentLayout layout = rules_.layout(length);
    const std::uint64_t segment_end = std::uint64_t{segment.document_offset} + segment.length();
    const bool inside = layout.kept() > 0 && segment.document_offset >= layout.first_token &&
                        segment_end <= std::uint64_t{layout.end_token} + rules_.bos + rules_.separator;
    return inside ? std::optional(layout) : std::nullopt;
  }

  [[nodiscard]] Status check_position_ids(const SegmentPositions& segment) const {
    if (options_.position_ids == PositionIds::restart) return {};
    const std::uint64_t last = std::uint64_t{segment.document_offset} + (segment.next - segment.begin) - 1;
    if (last <= INT32_MAX) return {};
    return Error{ErrorCode::too_large,
                 concat("document ", segment.document, ": position id ", last,
                        " does not fit int32: use position_ids=restart"),
                 segment.document};
  }

  [[nodiscard]] SegmentContent content(const SegmentPositions& segment, const DocumentLayout& layout,
                                       const KnownTokens& known, bool first_has_label) const {
    const bool has_bos = rules_.bos == 1 && segment.document_offset == layout.first_token;
    const bool has_separator = segment.document_offset + segment.length() > layout.end_token + rules_.bos;
    const std::uint32_t token = segment.document_offset + (has_bos ? 1 : 0) - rules_.bos;

    SegmentContent out;
    out.first_token = known.begin + (token - known.first);
    out.tokens_begin = segment.begin + (has_bos ? 1 : 0);
    out.tokens_end = segment.end - (has_separator ? 1 : 0);
    const std::uint32_t unlabelled = segment.begin + (first_has_label ? 0 : 1);
    const std::uint32_t prompt_left = known.prompt_length - std::min(known.prompt_length, token);
    const std::uint32_t prompt = std::min(prompt_left, out.tokens_end - out.tokens_begin);
    out.targets_begin = std::clamp(unlabelled, out.tokens_begin + prompt, out.tokens_end);
    out.bos_is_target = options_.separator_loss && has_bos && first_has_label;
    out.separator_is_target = options_.separator_loss && has_separator && out.tokens_end >= unlabelled;
    return out;
  }

  const TokenLocator& tokens_;
  const Options& options_;
  const WindowRules& rules_;
};

// The rows of labels and loss_mask. `at` is a position of the row, `token` one of the corpus.
struct LabelRow {
  std::span<std::int32_t> row;
  const Corpus& corpus;

  void ignore(std::uint32_t begin, std::uint32_t end) const {
    std::fill(row.data() + begin, row.data() + end, kIgnoredLabel);
  }
  void add(std::uint32_t at, std::int32_t id) const { row[at] = id; }
  void copy(std::uint32_t at, std::uint64_t token, std::uint32_t count) const {
    std::int32_t* out = row.data() + at;
    corpus.tokens.subspan(static_cast<std::size_t>(token), count).copy_to(out);
    if (corpus.loss_mask.empty()) return;
    const std::uint8_t* mask = corpus.loss_mask.data() + token;
    for (std::uint32_t i = 0; i < count; ++i) out[i] = mask[i] != 0 ? out[i] : kIgnoredLabel;
  }
};

struct LossRow {
  std::span<std::uint8_t> row;
  const Corpus& corpus;

  void ignore(std::uint32_t begin, std::uint32_t end) const {
    std::fill(row.data() + begin, row.data() + end, std::uint8_t{0});
  }
  void add(std::uint32_t at, std::int32_t) const { row[at] = 1; }
  void copy(std::uint32_t at, std::uint64_t token, std::uint32_t count) const {
    if (corpus.loss_mask.empty()) {
      std::fill_n(row.data() + at, count, std::uint8_t{1});
    } else {
      std::copy_n(corpus.loss_mask.data() + token, count, row.data() + at);
    }
  }
};

// Writes what each position is trained to give. The token at position p is the label at p - shift;
// the token at position 0 follows nothing, so it never is one.
template <class Row>
void write_targets(std::span<const SegmentPositions> segments, std::span<const SegmentContent> contents,
                   const Options& options, const Row& out) {
  const std::uint32_t shift = options.labels == Labels::shifted ? 1 : 0;
  std::uint32_t done = shift;
  const auto ignore_until = [&](std::uint32_t position) {
    if (position <= done) return;
    out.ignore(done - shift, position - shift);
    done = position;
  };
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentContent& content = contents[i];
    if (content.bos_is_target) {
      ignore_until(segments[i].begin);
      out.add(segments[i].begin - shift, *options.bos_id);
      done = segments[i].begin + 1;
    }
    if (content.targets_begin < content.tokens_end) {
      ignore_until(content.targets_begin);
      out.copy(content.targets_begin - shift,
               content.first_token + (content.targets_begin - content.tokens_begin),
               content.tokens_end - content.targets_begin);
      done = content.tokens_end;
    }
    if (content.separator_is_target) {
      ignore_until(content.tokens_end);
      out.add(content.tokens_end - shift, *options.separator_id);
      done = content.tokens_end + 1;
    }
  }
  ignore_until(static_cast<std::uint32_t>(out.row.size()) + shift);
}

void write_input_ids(std::span<const SegmentPositions> segments, std::span<const SegmentContent> contents,
                     const Corpus& corpus, const Options& options, std::span<std::int32_t> row) {
  std::int32_t* out = row.data();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentPositions& segment = segments[i];
    const SegmentContent& content = contents[i];
    if (content.tokens_begin > segment.begin) out[segment.begin] = *options.bos_id;
    corpus.tokens
        .subspan(static_cast<std::size_t>(content.first_token), content.tokens_end - content.tokens_begin)
        .copy_to(out + content.tokens_begin);
    if (content.tokens_end < segment.end) out[content.tokens_end] = *options.separator_id;
    std::fill(out + segment.end, out + segment.next, options.pad_token_id);
  }
  std::fill(out + tail_begin(segments), out + row.size(), options.pad_token_id);
}

// `row` and `values` are elements of `size` bytes.
void write_field(std::span<const SegmentContent> contents, std::span<const std::byte> values,
                 std::size_t size, std::span<std::byte> row) {
  std::size_t done = 0;
  const auto zero_until = [&](std::size_t end) {
    std::fill(row.data() + done, row.data() + end, std::byte{0});
    done = end;
  };
  for (const SegmentContent& content : contents) {
    zero_until(content.tokens_begin * size);
    const std::size_t bytes = (content.tokens_end - content.tokens_begin) * size;
    std::copy_n(values.data() + static_cast<std::size_t>(content.first_token) * size, bytes,
                row.data() + done);
    done += bytes;
  }
  zero_until(row.size());
}

// The arrays after the labels are those of the inputs: extra_token's last one is no input.
void cut_to_inputs(std::vector<SegmentPositions>& segments, std::vector<SegmentContent>& contents,
                   std::uint32_t context_length) {
  cut_positions(segments, context_length);
  contents.resize(segments.size());
  if (contents.empty()) return;
  SegmentContent& last = contents.back();
  last.tokens_end = std::min(last.tokens_end, context_length);
}

Status check_range(const Plan& plan, WindowRange range) {
  if (range.first > range.last || range.last > plan.window_count()) {
    return invalid_argument("windows [", range.first, ", ", range.last, ") are not in the plan, which has ",
                            plan.window_count());
  }
  // Elements of 8 bytes at most; beyond this a size in bytes would not fit.
  constexpr std::uint64_t kMaxElements =
      static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max()) / 8;
  const std::uint64_t widest =
      std::max(plan.options.context_length, plan.options.cu_seqlens_width.value_or(0));
  if (range.size() > kMaxElements / std::max<std::uint64_t>(widest, 1)) {
    return Error{ErrorCode::too_large, concat("an array of ", range.size(), " windows of ", widest,
                                              " entries exceeds the limit of ", kMaxElements,
                                              " elements: materialize fewer windows at a time")};
  }
  return {};
}

// Sizes of the corpus's arrays: with them right, what planned_tokens() accepts is never out of bounds.
Status check_sizes(const Corpus& corpus) {
  const std::uint64_t tokens = corpus.document_offsets.empty() ? 0 : corpus.document_offsets.back();
  const auto check = [](std::string_view name, std::uint64_t size, std::uint64_t expected) -> Status {
    if (size == 0 || size == expected) return {};
    return Error{ErrorCode::length_mismatch,
                 concat(name, " has ", size, " entries instead of ", expected, ": check_corpus() says more")};
  };
  if (Status status = check("tokens", corpus.tokens.size(), tokens); !status) return status;
  if (Status status = check("loss_mask", corpus.loss_mask.size(), tokens); !status) return status;
  if (Status status = check("prompt_lengths", corpus.prompt_lengths.size(), corpus.document_count());
      !status) {
    return status;
  }
  for (const FieldView& field : corpus.fields) {
    if (field.values.size() == tokens * dtype_size(field.dtype)) continue;
    return Error{ErrorCode::length_mismatch,
                 concat("field ", field.name, " has ", field.values.size(), " bytes instead of ",
                        dtype_size(field.dtype), " for each of ", tokens, " tokens")};
  }
  return {};
}

// Growing without clearing would copy what is about to be overwritten.
template <class T>
void resize_for_overwrite(std::vector<T>& array, std::uint64_t size) {
  if (array.capacity() < size) array.clear();
  array.resize(static_cast<std::size_t>(size));
}

void size_fields(Batch& batch, const Corpus& corpus, std::uint64_t elements) {
  batch.fields.resize(corpus.fields.size());
  for (std::size_t i = 0; i < corpus.fields.size(); ++i) {
    batch.fields[i].name = corpus.fields[i].name;
    batch.fields[i].dtype = corpus.fields[i].dtype;
    resize_for_overwrite(batch.fields[i].values, elements * dtype_size(corpus.fields[i].dtype));
  }
}

void size_batch(Batch& batch, const Plan& plan, const TokenLocator& tokens, WindowRange range,
                const BatchFields& fields) {
  const Corpus& corpus = tokens.corpus();
  const std::uint64_t elements = range.size() * plan.options.context_length;
  const auto size_if = [&](bool wanted, auto& array) { resize_for_overwrite(array, wanted ? elements : 0); };
  // Few documents cannot have wide ids, so that most plans are never searched.
  const bool wide = tokens.may_have_wide_ids() && needs_wide_doc_ids(plan);
  batch.windows = range;
  batch.context_length = plan.options.context_length;
  size_if(fields.input_ids && tokens.has_tokens(), batch.input_ids);
  size_if(fields.labels && tokens.has_tokens(), batch.labels);
  size_if(fields.position_ids, batch.position_ids);
  size_if(fields.doc_ids && !wide, batch.doc_ids);
  size_if(fields.doc_ids && wide, batch.doc_ids_wide);
  size_if(fields.segment_ids, batch.segment_ids);
  size_if(fields.loss_mask, batch.loss_mask);
  if (fields.fields) {
    size_fields(batch, corpus, elements);
  } else {
    batch.fields.clear();
  }
  resize_for_overwrite(batch.window_lengths, range.size());
  resize_for_overwrite(batch.filler, range.size());
  clear_cu_seqlens(batch);
  if (!fields.cu_seqlens) batch.cu_seqlens_offsets.clear();
}

// The part of a [windows, context_length] array that belongs to one window; empty where the array is.
template <class T>
std::span<T> row_of(std::vector<T>& array, std::size_t row, std::size_t length) {
  if (array.empty()) return {};
  return std::span(array).subspan(row * length, length);
}

// Fills one window after another, with scratch memory that is reused.
class WindowWriter {
 public:
  WindowWriter(Batch& batch, const Plan& plan, const TokenLocator& tokens, const BatchFields& fields)
      : batch_(batch),
        plan_(plan),
        tokens_(tokens),
        corpus_(tokens.corpus()),
        fields_(fields),
        rules_(plan.options) {}

  Status write(std::uint64_t window) {
    if (Status status = place_window(plan_, window, rules_, segments_); !status) return status;
    if (Status status = find_contents(window); !status) return status;
    const auto row = static_cast<std::size_t>(window - batch_.windows.first);
    write_target_rows(row);
    cut_to_inputs(segments_, contents_, plan_.options.context_length);
    write_token_rows(row);
    write_position_rows(row);
    if (!fields_.cu_seqlens) return {};
    return append_cu_seqlens(batch_, segments_, plan_.options, plan_.options.context_length, window);
  }

 private:
  Status find_contents(std::uint64_t window) {
    contents_.resize(segments_.size());
    if (!tokens_.has_documents()) return {};
    const ContentFinder finder(tokens_, plan_.options, rules_);
    const std::uint64_t number = plan_.window_offsets[static_cast<std::size_t>(window)];
    return finder.find(window, number, segments_, contents_);
  }

  void write_target_rows(std::size_t row) {
    const std::size_t length = plan_.options.context_length;
    if (const auto out = row_of(batch_.labels, row, length); !out.empty()) {
      write_targets(segments_, contents_, plan_.options, LabelRow{out, corpus_});
    }
    if (const auto out = row_of(batch_.loss_mask, row, length); !out.empty()) {
      write_targets(segments_, contents_, plan_.options, LossRow{out, corpus_});
    }
  }

  void write_token_rows(std::size_t row) {
    const std::size_t length = plan_.options.context_length;
    if (const auto out = row_of(batch_.input_ids, row, length); !out.empty()) {
      write_input_ids(segments_, contents_, corpus_, plan_.options, out);
    }
    for (std::size_t i = 0; i < batch_.fields.size(); ++i) {
      BatchField& field = batch_.fields[i];
      const std::size_t size = dtype_size(field.dtype);
      write_field(contents_, corpus_.fields[i].values, size, row_of(field.values, row, length * size));
    }
  }

  void write_position_rows(std::size_t row) {
    const std::size_t length = plan_.options.context_length;
    if (const auto out = row_of(batch_.position_ids, row, length); !out.empty()) {
      write_position_ids(segments_, plan_.options, out);
    }
    if (const auto out = row_of(batch_.doc_ids, row, length); !out.empty()) write_doc_ids(segments_, out);
    if (const auto out = row_of(batch_.doc_ids_wide, row, length); !out.empty())
      write_doc_ids(segments_, out);
    if (const auto out = row_of(batch_.segment_ids, row, length); !out.empty()) {
      write_segment_ids(segments_, out);
    }
    batch_.window_lengths[row] = count_tokens(segments_);
    batch_.filler[row] = segments_.empty() ? 1 : 0;
  }

  Batch& batch_;
  const Plan& plan_;
  const TokenLocator& tokens_;
  const Corpus& corpus_;
  const BatchFields& fields_;
  WindowRules rules_;
  std::vector<SegmentPositions> segments_;
  std::vector<SegmentContent> contents_;
};

Status write_batch(Batch& batch, const Plan& plan, const TokenLocator& tokens, WindowRange range,
                   const BatchFields& fields) {
  size_batch(batch, plan, tokens, range, fields);
  WindowWriter writer(batch, plan, tokens, fields);
  for (std::uint64_t window = range.first; window < range.last; ++window) {
    if (Status status = writer.write(window); !status) return status;
  }
  return {};
}

Status check_request(const Plan& plan, const Corpus& corpus, WindowRange range) {
  if (Status status = check_options(plan.options); !status) return status;
  if (Status status = check_range(plan, range); !status) return status;
  return check_sizes(corpus);
}

// Beyond check_sizes: with this, what TokenLocator finds is never out of bounds.
Status check_excerpt(const CorpusExcerpt& excerpt, const BatchFields& fields) {
  const Corpus& corpus = excerpt.segments;
  if (excerpt.document_lengths.size() != corpus.document_count()) {
    return Error{ErrorCode::length_mismatch,
                 concat("document_lengths has ", excerpt.document_lengths.size(), " entries for ",
                        corpus.document_count(), " segments: give one for each")};
  }
  const std::uint64_t tokens = corpus.document_offsets.empty() ? 0 : corpus.document_offsets.back();
  if ((!fields.input_ids && !fields.labels) || corpus.tokens.size() == tokens) return {};
  return Error{ErrorCode::length_mismatch,
               concat("tokens has ", corpus.tokens.size(), " entries instead of ", tokens,
                      ": give them, or ask for neither input_ids nor labels")};
}

}  // namespace

Result<Batch> materialize(const Plan& plan, const Corpus& corpus, WindowRange range,
                          const BatchFields& fields) {
  Batch batch;
  if (Status status = materialize_into(batch, plan, corpus, range, fields); !status) return status.error();
  return batch;
}

Status materialize_into(Batch& batch, const Plan& plan, const Corpus& corpus, WindowRange range,
                        const BatchFields& fields) {
  if (Status status = check_request(plan, corpus, range); !status) return status;
  return write_batch(batch, plan, TokenLocator(corpus), range, fields);
}

Result<Batch> materialize(const Plan& plan, WindowRange range, const BatchFields& fields) {
  if (Status status = check_request(plan, {}, range); !status) return status.error();
  BatchFields known = fields;
  known.input_ids = known.labels = known.position_ids = known.loss_mask = known.fields = false;
  Batch batch;
  if (Status status = write_batch(batch, plan, TokenLocator(), range, known); !status) return status.error();
  return batch;
}

Result<Batch> materialize(const Plan& plan, const CorpusExcerpt& excerpt, WindowRange range,
                          const BatchFields& fields) {
  Batch batch;
  if (Status status = materialize_into(batch, plan, excerpt, range, fields); !status) return status.error();
  return batch;
}

Status materialize_into(Batch& batch, const Plan& plan, const CorpusExcerpt& excerpt, WindowRange range,
                        const BatchFields& fields) {
  if (Status status = check_request(plan, excerpt.segments, range); !status) return status;
  if (Status status = check_excerpt(excerpt, fields); !status) return status;
  const std::uint64_t first_segment = plan.window_offsets[static_cast<std::size_t>(range.first)];
  return write_batch(batch, plan, TokenLocator(excerpt, first_segment), range, fields);
}

}  // namespace packscope
