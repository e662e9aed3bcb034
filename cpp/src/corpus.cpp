// SPDX-License-Identifier: MIT
#include "packscope/corpus.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "text.hpp"
#include "window_rules.hpp"

namespace packscope {
namespace {

Error length_mismatch(std::string_view name, std::uint64_t size, std::uint64_t expected,
                      std::string_view unit) {
  return {ErrorCode::length_mismatch, concat(name, " has ", size, " entries, but there are ", expected, " ",
                                             unit, ": give one entry for each, or none at all")};
}

Status check_offsets(std::span<const std::uint64_t> offsets) {
  if (offsets.empty()) return {};
  if (offsets.size() - 1 > UINT32_MAX) {
    return Error{ErrorCode::too_large, concat(offsets.size() - 1, " documents exceed the limit of ",
                                              UINT32_MAX, ": pack them in parts")};
  }
  if (offsets.front() != 0) {
    return invalid_argument("document_offsets begins with ", offsets.front(), " instead of 0");
  }
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] > offsets[i + 1]) {
      return Error{ErrorCode::invalid_argument,
                   concat("document ", i, " ends at token ", offsets[i + 1], ", before it begins at ",
                          offsets[i], ": document_offsets must ascend"),
                   i};
    }
    if (offsets[i + 1] - offsets[i] > kMaxDocumentLength) {
      return Error{
          ErrorCode::too_large,
          concat("document ", i, " has ", offsets[i + 1] - offsets[i], " tokens, more than the limit of ",
                 kMaxDocumentLength, ": split it into several documents"),
          i};
    }
  }
  return {};
}

// The document that token `token` belongs to.
std::size_t document_of(const Corpus& corpus, std::uint64_t token) {
  const auto after = std::upper_bound(corpus.document_offsets.begin(), corpus.document_offsets.end(), token);
  return static_cast<std::size_t>(after - corpus.document_offsets.begin()) - 1;
}

Status check_tokens(const Corpus& corpus, const Options& options) {
  constexpr std::uint32_t kIdLimit = std::uint32_t{1} << 31;
  const std::uint32_t limit = std::min(options.vocab_size.value_or(kIdLimit), kIdLimit);
  if (!corpus.tokens.is_wide() && limit > UINT8_MAX) return {};
  // As unsigned, a negative id is above every limit.
  const auto outside = [limit](std::int32_t id) { return static_cast<std::uint32_t>(id) >= limit; };
  const auto token = corpus.tokens.visit([&](auto ids) -> std::uint64_t {
    return static_cast<std::uint64_t>(std::find_if(ids.begin(), ids.end(), outside) - ids.begin());
  });
  if (token == corpus.tokens.size()) return {};

  const std::int32_t id = corpus.tokens[static_cast<std::size_t>(token)];
  const std::size_t document = document_of(corpus, token);
  const std::string place =
      concat("document ", document, ", token ", token - corpus.document_offsets[document], ": id ", id);
  if (id < 0) {
    return Error{ErrorCode::token_out_of_range, concat(place, " is negative; ids are 0 or more"), document};
  }
  return Error{ErrorCode::token_out_of_range,
               concat(place, " is not below vocab_size ", limit, ": raise vocab_size or tokenize again"),
               document};
}

Status check_loss_mask(const Corpus& corpus) {
  const auto found = std::find_if(corpus.loss_mask.begin(), corpus.loss_mask.end(),
                                  [](std::uint8_t value) { return value > 1; });
  if (found == corpus.loss_mask.end()) return {};
  const auto token = static_cast<std::uint64_t>(found - corpus.loss_mask.begin());
  const std::size_t document = document_of(corpus, token);
  return Error{ErrorCode::invalid_argument,
               concat("document ", document, ", token ", token - corpus.document_offsets[document],
                      ": loss_mask is ", *found, "; it must be 0 or 1"),
               document};
}

Status check_prompt_lengths(const Corpus& corpus) {
  for (std::size_t i = 0; i < corpus.prompt_lengths.size(); ++i) {
    const std::uint64_t length = corpus.document_offsets[i + 1] - corpus.document_offsets[i];
    if (corpus.prompt_lengths[i] <= length) continue;
    return Error{ErrorCode::invalid_argument,
                 concat("document ", i, ": prompt length ", corpus.prompt_lengths[i], " exceeds its ", length,
                        " tokens: give at most the document's length"),
                 i};
  }
  return {};
}

Status check_sources(const Corpus& corpus) {
  // Without names there is one unnamed source.
  const std::size_t count = std::max<std::size_t>(corpus.source_names.size(), 1);
  for (std::size_t i = 0; i < corpus.sources.size(); ++i) {
    if (corpus.sources[i] < count) continue;
    return Error{ErrorCode::unknown_source,
                 concat("document ", i, ": source ", corpus.sources[i], " does not exist; there are ", count,
                        ": add its name to source_names"),
                 i};
  }
  return {};
}

Status check_sizes(const Corpus& corpus) {
  const std::uint64_t documents = corpus.document_count();
  const std::uint64_t tokens = documents == 0 ? 0 : corpus.document_offsets.back();
  const auto differs = [](std::uint64_t size, std::uint64_t expected) {
    return size != 0 && size != expected;
  };
  if (differs(corpus.tokens.size(), tokens)) {
    return length_mismatch("tokens", corpus.tokens.size(), tokens, "tokens by document_offsets");
  }
  if (differs(corpus.loss_mask.size(), tokens)) {
    return length_mismatch("loss_mask", corpus.loss_mask.size(), tokens, "tokens");
  }
  if (differs(corpus.prompt_lengths.size(), documents)) {
    return length_mismatch("prompt_lengths", corpus.prompt_lengths.size(), documents, "documents");
  }
  if (differs(corpus.sources.size(), documents)) {
    return length_mismatch("sources", corpus.sources.size(), documents, "documents");
  }
  for (const FieldView& field : corpus.fields) {
    const std::size_t size = dtype_size(field.dtype);
    if (field.values.size() == tokens * size) continue;
    return Error{ErrorCode::length_mismatch,
                 concat("field ", field.name, " has ", field.values.size(), " bytes, but there are ", tokens,
                        " tokens of ", size, " bytes: give one value for each token")};
  }
  return {};
}

// A multiply-mix hash over words of two wide ids, or of eight of a byte.
std::uint64_t hash_tokens(std::span<const std::byte> tokens) {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  std::uint64_t hash = tokens.size() * kMultiplier;
  std::uint64_t word = 0;
  const auto mix = [&] {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 32;
  };
  std::size_t i = 0;
  for (; i + sizeof word <= tokens.size(); i += sizeof word) {
    std::memcpy(&word, tokens.data() + i, sizeof word);
    mix();
  }
  if (i < tokens.size()) {
    word = 0;
    std::memcpy(&word, tokens.data() + i, tokens.size() - i);
    mix();
  }
  word = hash >> 29;
  mix();
  return hash;
}

// Finds repeated documents: an open-addressing table of the first document of each content.
class DuplicateFinder {
 public:
  explicit DuplicateFinder(const Corpus& corpus)
      : corpus_(corpus),
        hashes_(static_cast<std::size_t>(corpus.document_count())),
        slots_(std::bit_ceil(2 * hashes_.size() + 1), kFree) {}

  // Whether an earlier document has the same tokens. Ask once for each document, ascending.
  bool is_duplicate(std::uint32_t document) {
    const std::span<const std::byte> tokens = tokens_of(document);
    if (tokens.empty()) return false;
    hashes_[document] = hash_tokens(tokens);
    const std::size_t mask = slots_.size() - 1;
    auto slot = static_cast<std::size_t>(hashes_[document]) & mask;
    for (; slots_[slot] != kFree; slot = (slot + 1) & mask) {
      const std::uint32_t other = slots_[slot];
      if (hashes_[other] != hashes_[document]) continue;
      const std::span<const std::byte> others = tokens_of(other);
      if (tokens.size() == others.size() && std::memcmp(tokens.data(), others.data(), tokens.size()) == 0)
        return true;
    }
    slots_[slot] = document;
    return false;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;

  // As they lie in memory: equal tokens are equal bytes.
  [[nodiscard]] std::span<const std::byte> tokens_of(std::uint32_t document) const {
    const std::uint64_t begin = corpus_.document_offsets[document];
    const std::uint64_t end = corpus_.document_offsets[std::size_t{document} + 1];
    return corpus_.tokens.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))
        .bytes();
  }

  const Corpus& corpus_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace

std::size_t dtype_size(DType dtype) {
  switch (dtype) {
    case DType::uint8:
      return 1;
    case DType::int32:
      return 4;
    case DType::int64:
    case DType::float64:
      return 8;
  }
  return 1;
}

void TokenView::copy_to(std::int32_t* out) const {
  visit([out](auto ids) { std::copy_n(ids.data(), ids.size(), out); });
}

Status check_corpus(const Corpus& corpus, const Options& options) {
  if (Status status = check_offsets(corpus.document_offsets); !status) return status;
  if (Status status = check_sizes(corpus); !status) return status;
  if (Status status = check_tokens(corpus, options); !status) return status;
  if (Status status = check_loss_mask(corpus); !status) return status;
  if (Status status = check_prompt_lengths(corpus); !status) return status;
  return check_sources(corpus);
}

std::vector<std::uint32_t> document_lengths(const Corpus& corpus) {
  std::vector<std::uint32_t> lengths(static_cast<std::size_t>(corpus.document_count()));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = static_cast<std::uint32_t>(corpus.document_offsets[i + 1] - corpus.document_offsets[i]);
  }
  return lengths;
}

std::vector<std::uint8_t> find_duplicates(const Corpus& corpus) {
  std::vector<std::uint8_t> duplicates(static_cast<std::size_t>(corpus.document_count()));
  if (!corpus.has_tokens()) return duplicates;
  DuplicateFinder finder(corpus);
  for (std::size_t i = 0; i < duplicates.size(); ++i) {
    duplicates[i] = finder.is_duplicate(static_cast<std::uint32_t>(i)) ? 1 : 0;
  }
  return duplicates;
}

}  // namespace packscope
