// SPDX-License-Identifier: MIT
#include "output/token_walk.hpp"

#include <algorithm>

#include "message.hpp"

namespace packscope::native {
namespace {

template <class Value>
Error difference(std::string_view array, std::uint64_t window, std::uint64_t position, Value found,
                 Value expected) {
  return {ErrorCode::invalid_data, concat(array, " differs in window ", window, " at position ", position,
                                          ": the file holds ", found, ", the input gives ", expected)};
}

}  // namespace

TokenWalk::TokenWalk(const Plan& plan, const Corpus& corpus)
    : plan_(plan),
      corpus_(corpus),
      context_length_(plan.options.context_length),
      stored_length_(context_length_ + (plan.options.extra_token ? 1 : 0)),
      multiple_(plan.options.document_multiple),
      bos_(plan.options.bos_id ? 1 : 0),
      separator_after_(plan.options.separator_id && plan.options.separator == Separator::after ? 1 : 0),
      seen_(corpus.tokens.size()) {}

TokenWalk::Kept TokenWalk::kept(std::uint32_t document) const {
  const std::uint64_t n = corpus_.document_offsets[document + 1] - corpus_.document_offsets[document];
  const LongDocuments rule = long_documents_rule(plan_.options);
  const bool is_long = n + bos_ + separator_after_ > stored_length_;
  const std::uint64_t room = stored_length_ - bos_ - separator_after_;
  if (is_long && rule == LongDocuments::truncate) return {0, room};
  if (is_long && rule == LongDocuments::truncate_left) return {n - room, n};
  return {0, n};
}

// Token `virtual_offset` of the lengthened document [bos] tokens [separator]. Marks it as seen.
Result<std::int32_t> TokenWalk::expected_token(const Segment& segment, std::uint64_t virtual_offset) {
  const Kept range = kept(segment.document);
  const bool is_bos = bos_ == 1 && virtual_offset == range.begin;
  const bool is_separator = plan_.options.separator_id && virtual_offset == range.end + bos_;
  if (is_bos || is_separator) {
    ++added_count_;
    return is_bos ? *plan_.options.bos_id : *plan_.options.separator_id;
  }
  if (virtual_offset < range.begin + bos_ || virtual_offset > range.end + bos_ - 1) {
    return bad_data("a segment reaches offset ", virtual_offset, " of document ", segment.document,
                    ", outside its tokens");
  }
  const std::uint64_t token = corpus_.document_offsets[segment.document] + virtual_offset - bos_;
  if (seen_[token]) {
    return bad_data("token ", virtual_offset - bos_, " of document ", segment.document,
                    " stands in two places");
  }
  seen_[token] = true;
  ++seen_count_;
  return corpus_.tokens[token];
}

Status TokenWalk::check_padding(std::uint64_t window, std::uint64_t begin, std::uint64_t end,
                                std::span<const std::int32_t> input_ids,
                                std::span<const std::int64_t> doc_ids) const {
  const std::int32_t pad = plan_.options.pad_token_id;
  for (std::uint64_t at = begin; at < std::min(end, context_length_); ++at) {
    if (input_ids[at] != pad) return difference("input_ids", window, at, input_ids[at], pad);
    if (doc_ids[at] != -1) return difference<std::int64_t>("doc_ids", window, at, doc_ids[at], -1);
  }
  return {};
}

Status TokenWalk::check_window(std::uint64_t window, std::span<const std::int32_t> input_ids,
                               std::span<const std::int32_t> labels, std::span<const std::int64_t> doc_ids) {
  std::uint64_t position = 0;
  for (const Segment& segment : plan_.window(window)) {
    if (position + segment.length > stored_length_) {
      return bad_data("window ", window, " holds more than ", stored_length_, " tokens");
    }
    for (std::uint64_t i = 0; i < segment.length; ++i, ++position) {
      Result<std::int32_t> expected = expected_token(segment, std::uint64_t{segment.document_offset} + i);
      if (!expected)
        return bad_data("window ", window, ", position ", position, ": ", expected.error().message);
      if (position == context_length_) {
        // extra_token: the last token is no input; it can be seen where it is a target.
        const std::int32_t label = labels.back();
        if (label >= 0 && label != *expected)
          return difference("labels", window, position - 1, label, *expected);
        continue;
      }
      if (input_ids[position] != *expected) {
        return difference("input_ids", window, position, input_ids[position], *expected);
      }
      if (doc_ids[position] != segment.document) {
        return difference<std::int64_t>("doc_ids", window, position, doc_ids[position], segment.document);
      }
    }
    const std::uint64_t gap_end = (position + multiple_ - 1) / multiple_ * multiple_;
    if (Status padded = check_padding(window, position, gap_end, input_ids, doc_ids); !padded) return padded;
    position = gap_end;
  }
  return check_padding(window, position, context_length_, input_ids, doc_ids);
}

Status TokenWalk::finish() const {
  const std::uint64_t missing = seen_.size() - seen_count_;
  if (missing != plan_.ledger.tokens_dropped) {
    return bad_data(missing, " tokens of the input stand in no window, but the ledger says ",
                    plan_.ledger.tokens_dropped, " were dropped");
  }
  if (added_count_ != plan_.ledger.separators_added) {
    return bad_data(added_count_, " separators and BOS tokens stand in windows, but the ledger says ",
                    plan_.ledger.separators_added);
  }
  return {};
}

}  // namespace packscope::native
