// SPDX-License-Identifier: MIT
#include "input/stored_tokens.hpp"

#include <algorithm>

#include "input/lengths_reader.hpp"
#include "input/token_room.hpp"
#include "message.hpp"

namespace packscope::native {

StoredTokens::StoredTokens(const std::string& name, const IntegerType& type, const ReadOptions& options,
                           CorpusData& corpus)
    : name_(name),
      type_(type),
      corpus_(corpus),
      keeps_tokens_(options.keeps_tokens()),
      largest_id_(options.largest_token_id()) {
  corpus.tokens_known = keeps_tokens_;
}

Status StoredTokens::add(std::span<const std::byte> tokens, double share) {
  const std::size_t count = tokens.size() / type_.bytes;
  length_ += count;
  if (!keeps_tokens_) return {};
  if (!is_narrow()) {
    if (Status widened = corpus_.widen_tokens(); !widened) return widened;
  }
  make_room(corpus_.tokens, count, tokens_done_, share, corpus_.token_memory.bytes);
  return is_narrow() ? add_bytes(tokens) : add_integers(tokens);
}

Status StoredTokens::add_bytes(std::span<const std::byte> tokens) {
  const std::span ids(reinterpret_cast<const std::uint8_t*>(tokens.data()), tokens.size());
  const auto refused =
      std::find_if(ids.begin(), ids.end(), [this](std::uint8_t id) { return id > largest_id_; });
  if (refused != ids.end()) return out_of_range(*refused);
  corpus_.tokens.append(ids);
  return {};
}

Status StoredTokens::add_integers(std::span<const std::byte> tokens) {
  Buffer<std::int32_t>& ids = corpus_.tokens.wide();
  std::int64_t refused = 0;
  const bool taken = visit_integers(tokens, type_, [&](std::int64_t id) {
    refused = id;
    if (id < 0 || id > largest_id_) return false;
    ids.push_back(static_cast<std::int32_t>(id));
    return true;
  });
  return taken ? Status() : out_of_range(refused);
}

Error StoredTokens::out_of_range(std::int64_t id) const {
  return Error{ErrorCode::token_out_of_range,
               concat(name_, ": document ", documents_done_, " holds ", id,
                      "; token ids are integers from 0 to ", largest_id_),
               documents_done_};
}

Status StoredTokens::end_document() {
  if (length_ > kMaxLength) {
    return bad_data(name_, ": document ", documents_done_, " has ", length_, " tokens; the limit is ",
                    kMaxLength);
  }
  corpus_.document_offsets.push_back(corpus_.document_offsets.back() + length_);
  tokens_done_ += length_;
  length_ = 0;
  ++documents_done_;
  return corpus_.settle();
}

}  // namespace packscope::native
