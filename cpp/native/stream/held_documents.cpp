// SPDX-License-Identifier: MIT
#include "stream/held_documents.hpp"

#include <algorithm>
#include <cassert>

#include "packscope/pack.hpp"

namespace packscope::native {
namespace {

template <class Values>
void append_part(Values& to, const Values& from, std::uint64_t begin, std::uint64_t count) {
  if (from.empty()) return;
  const auto* const first = from.data() + begin;
  to.insert(to.end(), first, first + count);
}

void append_part(TokenStore& to, const TokenStore& from, std::uint64_t begin, std::uint64_t count) {
  if (!from.empty()) to.append(from.view().subspan(begin, count));
}

// Moves a part towards the front.
template <class Values>
void move_part(Values& values, std::uint64_t from, std::uint64_t to, std::uint64_t count) {
  if (!values.empty()) std::copy_n(values.data() + from, count, values.data() + to);
}

// Whether a document goes on to a separator, which may stand in a window of its own. Where wrap writes it
// between documents, the last one of a flush goes without: compact() lets go of that.
bool ends_with_separator(const Options& options) {
  const bool has_its_own = options.separator == Separator::after || options.algorithm == Algorithm::wrap;
  return options.separator_id && has_its_own;
}

}  // namespace

CorpusExcerpt WindowTokens::view() const {
  CorpusExcerpt excerpt;
  excerpt.segments.tokens = tokens.view();
  excerpt.segments.document_offsets = document_offsets;
  excerpt.segments.loss_mask = loss_mask;
  excerpt.segments.prompt_lengths = prompt_lengths;
  excerpt.document_lengths = document_lengths;
  return excerpt;
}

void HeldDocuments::add(const CorpusData& read, std::uint32_t first_document) {
  tokens_known_ = read.tokens_known;
  has_prompts_ = !read.prompt_lengths.empty();
  const std::uint32_t separator = ends_with_separator(options_) ? 1 : 0;
  const std::uint64_t base = read.document_offsets.front();
  for (std::size_t i = 0; i < read.held_documents(); ++i) {
    const std::uint64_t begin = read.document_offsets[i] - base;
    const auto length = static_cast<std::uint32_t>(read.document_offsets[i + 1] - base - begin);
    const std::uint32_t number = first_document + static_cast<std::uint32_t>(i);
    const std::uint32_t end = planned_end(options_, length);
    if (end == 0) {
      // It keeps the place that index_of() guesses.
      documents_.push_back({.number = number});
      ++needless_;
      continue;
    }
    documents_.push_back({.number = number,
                          .length = length,
                          .end = end + separator,
                          .prompt_length = has_prompts_ ? read.prompt_lengths[i] : 0,
                          .source = read.sources.empty() ? 0 : read.sources[i],
                          .begin = tokens_.size()});
    append_part(tokens_, read.tokens, begin, length);
    append_part(loss_mask_, read.loss_mask, begin, length);
  }
}

std::size_t HeldDocuments::index_of(std::uint32_t document) const {
  // Those just read are all there.
  const std::size_t from_back = documents_.back().number - document;
  if (from_back < documents_.size()) {
    const std::size_t guess = documents_.size() - 1 - from_back;
    if (documents_[guess].number == document) return guess;
  }
  const auto before = [](const Document& held, std::uint32_t number) { return held.number < number; };
  const auto found = std::lower_bound(documents_.begin(), documents_.end(), document, before);
  assert(found != documents_.end() && found->number == document);
  return static_cast<std::size_t>(found - documents_.begin());
}

std::uint32_t HeldDocuments::source(std::uint32_t document) const {
  return documents_[index_of(document)].source;
}

void HeldDocuments::move_to(WindowTokens& to, const WindowList& windows) {
  to.known = tokens_known_;
  to.tokens.clear();
  to.loss_mask.clear();
  to.prompt_lengths.clear();
  to.document_lengths.clear();
  to.document_offsets.assign(1, 0);
  const std::uint32_t bos = options_.bos_id ? 1 : 0;
  for (const Segment& segment : windows.segments) {
    Document& document = documents_[index_of(segment.document)];
    const std::uint32_t first = segment.document_offset - std::min(segment.document_offset, bos);
    const std::uint64_t count = std::min(segment.length, document.length - std::min(first, document.length));
    append_part(to.tokens, tokens_, document.begin + first, count);
    append_part(to.loss_mask, loss_mask_, document.begin + first, count);
    if (has_prompts_) to.prompt_lengths.push_back(document.prompt_length);
    to.document_lengths.push_back(document.length);
    to.document_offsets.push_back(to.document_offsets.back() + count);
    if (segment.document_offset + segment.length >= document.end) let_go(document);
  }
}

void HeldDocuments::let_go(Document& document) {
  if (document.end == 0) return;
  document.end = 0;
  ++needless_;
  needless_tokens_ += document.length;
}

void HeldDocuments::compact(std::uint32_t flushed) {
  for (Document& document : documents_) {
    if (document.number >= flushed) break;
    let_go(document);
  }
  // Half of it being needless, each token moves once for each that went, on average.
  const bool few_tokens = !tokens_known_ || 2 * needless_tokens_ <= tokens_.size();
  if (few_tokens && 2 * needless_ <= documents_.size()) return;
  std::size_t kept = 0;
  std::uint64_t end = 0;
  needless_ = 0;
  needless_tokens_ = 0;
  for (const Document& document : documents_) {
    if (document.end == 0) continue;
    if (!tokens_.empty()) tokens_.move_down(document.begin, end, document.length);
    move_part(loss_mask_, document.begin, end, document.length);
    documents_[kept] = document;
    if (tokens_known_) {
      documents_[kept].begin = end;
      end += document.length;
    }
    ++kept;
  }
  documents_.resize(kept);
  tokens_.cut(tokens_.empty() ? 0 : end);
  loss_mask_.resize(loss_mask_.empty() ? 0 : end);
}

}  // namespace packscope::native
