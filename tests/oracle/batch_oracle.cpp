// SPDX-License-Identifier: MIT
#include "oracle/batch_oracle.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace packscope_oracle {
namespace {

using packscope::Batch;
using packscope::Corpus;
using packscope::CuSeqlens;
using packscope::DType;
using packscope::Labels;
using packscope::LongDocuments;
using packscope::Options;
using packscope::PaddingPositionIds;
using packscope::Plan;
using packscope::PositionIds;
using packscope::Segment;
using packscope::Separator;

// A lengthened document, one entry for each of its virtual offsets.
struct VirtualToken {
  Kind kind;
  std::uint32_t token;
};

struct VirtualDocument {
  std::uint32_t first_offset = 0;
  std::vector<VirtualToken> tokens;
};

VirtualDocument lengthen(std::uint32_t length, const Options& options) {
  const std::uint32_t window = options.context_length + (options.extra_token ? 1 : 0);
  const std::uint32_t bos = options.bos_id ? 1 : 0;
  const bool after = options.separator_id && options.separator == Separator::after;
  const std::uint32_t added = bos + (after ? 1 : 0);
  std::uint32_t first = 0;
  std::uint32_t last = length;
  if (length + added > window) {
    if (options.long_documents == LongDocuments::truncate) last = window - added;
    if (options.long_documents == LongDocuments::truncate_left) first = length - (window - added);
  }
  VirtualDocument document{first, {}};
  if (options.bos_id) document.tokens.push_back({Kind::bos, 0});
  for (std::uint32_t token = first; token < last; ++token) document.tokens.push_back({Kind::token, token});
  if (options.separator_id) document.tokens.push_back({Kind::separator, 0});
  return document;
}

std::uint32_t length_of(const Corpus& corpus, std::uint32_t document) {
  return static_cast<std::uint32_t>(corpus.document_offsets[document + 1] -
                                    corpus.document_offsets[document]);
}

std::size_t index_of(const Corpus& corpus, const Cell& cell) {
  return static_cast<std::size_t>(corpus.document_offsets[cell.document]) + cell.token;
}

std::int32_t id_of(const Corpus& corpus, const Options& options, const Cell& cell) {
  if (cell.kind == Kind::bos) return *options.bos_id;
  if (cell.kind == Kind::separator) return *options.separator_id;
  if (cell.kind == Kind::token) return corpus.tokens[index_of(corpus, cell)];
  return options.pad_token_id;
}

// Whether the stored token at `position` is trained.
bool is_target(const Corpus& corpus, const Options& options, const std::vector<Cell>& window,
               std::uint32_t position) {
  const Cell& cell = window[position];
  if (!cell.real() || position == 0 || !window[position - 1].real()) return false;
  if (cell.segment != window[position - 1].segment && !options.cross_boundary_labels) return false;
  if (cell.kind != Kind::token) return options.separator_loss;
  if (!corpus.prompt_lengths.empty() && cell.token < corpus.prompt_lengths[cell.document]) return false;
  return corpus.loss_mask.empty() || corpus.loss_mask[index_of(corpus, cell)] == 1;
}

std::int32_t position_id(const Options& options, const Cell& cell) {
  std::uint32_t id = cell.in_segment;
  if (cell.kind == Kind::tail) {
    if (options.padding_position_ids == PaddingPositionIds::zeros) id = 0;
  } else if (options.position_ids == PositionIds::continued) {
    id += cell.segment_offset;
  }
  return static_cast<std::int32_t>(id);
}

void append_cu_seqlens(Batch& out, const Options& options, const std::vector<Cell>& window) {
  std::vector<std::int32_t> real{0};
  std::vector<std::int32_t> memory{0};
  std::int32_t longest = 0;
  std::uint32_t position = 0;
  const auto count_while = [&](auto same) {
    std::int32_t count = 0;
    for (; position < window.size() && same(window[position]); ++position) ++count;
    return count;
  };
  const auto append = [&](std::int32_t tokens) {
    longest = std::max(longest, tokens);
    real.push_back(real.back() + tokens);
    memory.push_back(static_cast<std::int32_t>(position));
  };
  while (position < window.size()) {
    const std::uint32_t segment = window[position].segment;
    if (segment == 0) {
      const std::int32_t tail = count_while([](const Cell&) { return true; });
      if (options.cu_seqlens == CuSeqlens::window) append(tail);
      break;
    }
    const std::int32_t tokens = count_while([&](const Cell& cell) { return cell.segment == segment; });
    count_while([](const Cell& cell) { return cell.kind == Kind::gap; });
    append(tokens);
  }
  out.max_seqlen.push_back(longest);
  if (options.cu_seqlens_width) {
    out.cu_seqlens_count.push_back(static_cast<std::int32_t>(real.size()));
    real.resize(*options.cu_seqlens_width, real.back());
    memory.resize(*options.cu_seqlens_width, memory.back());
  }
  out.cu_seqlens.insert(out.cu_seqlens.end(), real.begin(), real.end());
  if (options.document_multiple > 1) {
    out.cu_seqlens_padded.insert(out.cu_seqlens_padded.end(), memory.begin(), memory.end());
  }
  out.cu_seqlens_offsets.push_back(out.cu_seqlens.size());
}

void append_input(Batch& out, const Plan& plan, const Corpus& corpus, const Cell& cell) {
  const Options& options = plan.options;
  if (corpus.has_tokens()) out.input_ids.push_back(id_of(corpus, options, cell));
  out.position_ids.push_back(position_id(options, cell));
  out.doc_ids.push_back(cell.real() ? static_cast<std::int32_t>(cell.document) : -1);
  out.segment_ids.push_back(static_cast<std::int32_t>(cell.segment));
  for (std::size_t i = 0; i < corpus.fields.size(); ++i) {
    const std::size_t size = packscope::dtype_size(corpus.fields[i].dtype);
    std::vector<std::byte> value(size);
    if (cell.kind == Kind::token) {
      std::memcpy(value.data(), corpus.fields[i].values.data() + index_of(corpus, cell) * size, size);
    }
    out.fields[i].values.insert(out.fields[i].values.end(), value.begin(), value.end());
  }
}

void append_label(Batch& out, const Plan& plan, const Corpus& corpus, const std::vector<Cell>& window,
                  std::uint32_t position) {
  const std::uint32_t labelled = position + (plan.options.labels == Labels::shifted ? 1 : 0);
  const bool target = labelled < window.size() && is_target(corpus, plan.options, window, labelled);
  out.loss_mask.push_back(target ? 1 : 0);
  if (!corpus.has_tokens()) return;
  out.labels.push_back(target ? id_of(corpus, plan.options, window[labelled]) : packscope::kIgnoredLabel);
}

// Random planning.

std::uint32_t below(std::mt19937_64& random, std::uint32_t n) {
  return static_cast<std::uint32_t>(random() % n);
}
bool coin(std::mt19937_64& random) { return random() % 2 == 0; }

Options random_options(std::mt19937_64& random) {
  Options options;
  options.algorithm = packscope::Algorithm::next_fit;
  options.document_multiple = std::vector<std::uint32_t>{1, 1, 2, 4}[below(random, 4)];
  options.context_length = options.document_multiple * (1 + below(random, 20));
  options.long_documents = std::vector{LongDocuments::split, LongDocuments::truncate,
                                       LongDocuments::truncate_left, LongDocuments::drop}[below(random, 4)];
  options.extra_token = coin(random);
  if (coin(random)) options.bos_id = 1001;
  if (coin(random)) options.separator_id = 1002;
  if (coin(random)) options.separator = Separator::between;
  options.separator_loss = coin(random);
  options.pad_token_id = coin(random) ? 0 : 5;
  if (coin(random)) options.position_ids = PositionIds::continued;
  if (coin(random)) options.padding_position_ids = PaddingPositionIds::zeros;
  if (coin(random)) options.cu_seqlens = CuSeqlens::real;
  if (coin(random)) options.cu_seqlens_width = options.context_length + 2;
  if (coin(random)) options.labels = Labels::aligned;
  options.cross_boundary_labels = coin(random);
  return options;
}

OwnedCorpus random_corpus(std::mt19937_64& random, std::uint32_t longest) {
  OwnedCorpus corpus;
  const std::uint32_t documents = 1 + below(random, 12);
  const bool prompts = coin(random);
  for (std::uint32_t i = 0; i < documents; ++i) {
    const std::uint32_t length = below(random, longest + 1);
    for (std::uint32_t token = 0; token < length; ++token) {
      corpus.tokens.push_back(static_cast<std::int32_t>(below(random, 256)));
    }
    corpus.offsets.push_back(corpus.tokens.size());
    if (prompts) corpus.prompt_lengths.push_back(below(random, length + 1));
  }
  for (std::size_t i = 0; i < corpus.tokens.size(); ++i) {
    corpus.reward.push_back(static_cast<std::int64_t>(random() % 1000) - 500);
    corpus.kind.push_back(static_cast<std::uint8_t>(random() % 256));
  }
  if (coin(random)) {
    for (std::size_t i = 0; i < corpus.tokens.size(); ++i) corpus.loss_mask.push_back(coin(random) ? 1 : 0);
  }
  corpus.has_tokens = below(random, 4) != 0;
  return corpus;
}

// Pieces of every document, cut anywhere where documents may be split.
std::vector<Segment> random_pieces(std::mt19937_64& random, const Options& options, const Corpus& corpus) {
  const std::uint32_t window = options.context_length + (options.extra_token ? 1 : 0);
  std::vector<Segment> pieces;
  for (std::uint32_t document = 0; document < corpus.document_count(); ++document) {
    const std::uint32_t length = length_of(corpus, document);
    if (length == 0) continue;
    const VirtualDocument whole = lengthen(length, options);
    auto left = static_cast<std::uint32_t>(whole.tokens.size());
    const bool between = options.separator_id && options.separator == Separator::between;
    if (between && (coin(random) || left > window)) --left;
    const bool split = options.long_documents == LongDocuments::split;
    if (!split && left > window) continue;
    std::uint32_t offset = whole.first_offset;
    while (left > 0) {
      const bool cut = left > window || (split && coin(random));
      const std::uint32_t piece = cut ? 1 + below(random, std::min(left, window)) : left;
      pieces.push_back({document, offset, piece});
      offset += piece;
      left -= piece;
    }
  }
  std::shuffle(pieces.begin(), pieces.end(), random);
  return pieces;
}

}  // namespace

Corpus OwnedCorpus::view() const {
  Corpus corpus;
  if (has_tokens) corpus.tokens = tokens;
  corpus.document_offsets = offsets;
  corpus.loss_mask = loss_mask;
  corpus.prompt_lengths = prompt_lengths;
  corpus.fields = fields;
  return corpus;
}

std::vector<Cell> cells(const Plan& plan, const Corpus& corpus, std::uint64_t window) {
  const std::size_t size = plan.options.context_length + (plan.options.extra_token ? 1u : 0u);
  std::vector<Cell> out;
  std::uint32_t segment_id = 0;
  for (const Segment& segment : plan.window(window)) {
    ++segment_id;
    const VirtualDocument document = lengthen(length_of(corpus, segment.document), plan.options);
    for (std::uint32_t i = 0; i < segment.length; ++i) {
      const VirtualToken token = document.tokens[segment.document_offset + i - document.first_offset];
      out.push_back({token.kind, segment.document, segment_id, i, segment.document_offset, token.token});
    }
    for (std::uint32_t i = segment.length; out.size() % plan.options.document_multiple != 0; ++i) {
      out.push_back({Kind::gap, segment.document, 0, i, segment.document_offset, 0});
    }
  }
  for (std::uint32_t i = 0; out.size() < size; ++i) out.push_back({Kind::tail, 0, 0, i, 0, 0});
  return out;
}

Batch batch(const Plan& plan, const Corpus& corpus) {
  Batch out;
  out.windows = {0, plan.window_count()};
  out.context_length = plan.options.context_length;
  out.cu_seqlens_offsets.push_back(0);
  for (const packscope::FieldView& field : corpus.fields) {
    out.fields.push_back({std::string(field.name), field.dtype, {}});
  }
  for (std::uint64_t w = 0; w < plan.window_count(); ++w) {
    std::vector<Cell> window = cells(plan, corpus, w);
    for (std::uint32_t i = 0; i < out.context_length; ++i) append_label(out, plan, corpus, window, i);
    window.resize(out.context_length);
    for (const Cell& cell : window) append_input(out, plan, corpus, cell);
    append_cu_seqlens(out, plan.options, window);
    const auto real =
        std::count_if(window.begin(), window.end(), [](const Cell& cell) { return cell.real(); });
    out.window_lengths.push_back(static_cast<std::int32_t>(real));
    out.filler.push_back(plan.window(w).empty() ? 1 : 0);
  }
  return out;
}

Example random_example(std::mt19937_64& random) {
  Example example;
  Options options = random_options(random);
  while (!packscope::check_options(options)) options = random_options(random);
  const std::uint32_t window = packscope::stored_window_length(options);
  example.corpus = random_corpus(random, 2 * window + 2);
  example.corpus.fields = {
      {"reward", DType::int64, std::as_bytes(std::span<const std::int64_t>(example.corpus.reward))},
      {"kind", DType::uint8, std::as_bytes(std::span<const std::uint8_t>(example.corpus.kind))}};

  example.plan.options = options;
  std::uint32_t used = 0;
  const auto close = [&] {
    if (used > 0) example.plan.window_offsets.push_back(example.plan.segments.size());
    used = 0;
  };
  for (const Segment& piece : random_pieces(random, options, example.corpus.view())) {
    if (used + piece.length > window || below(random, 8) == 0) close();
    example.plan.segments.push_back(piece);
    used += piece.length;
    while (used % options.document_multiple != 0) ++used;
  }
  close();
  if (coin(random)) example.plan.window_offsets.push_back(example.plan.segments.size());

  for (const packscope::OptionInfo& option : packscope::option_table()) {
    const std::string value = packscope::get_option(options, option.name);
    if (value != packscope::get_option(Options{}, option.name))
      example.description += std::string(option.name) + "=" + value + " ";
  }
  return example;
}

}  // namespace packscope_oracle
