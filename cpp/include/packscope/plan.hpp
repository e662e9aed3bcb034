// SPDX-License-Identifier: MIT
// The result of packing: segments grouped by window, and the ledger of what was not packed whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packscope/buffer.hpp"
#include "packscope/corpus.hpp"
#include "packscope/options.hpp"

namespace packscope {

// A contiguous piece of one document inside one window, in tokens of the lengthened document:
// [bos] tokens [separator]. Without bos_id, offset k is the document's token k and the separator
// stands at offset = document length; with bos_id everything is one later.
struct Segment {
  std::uint32_t document;
  std::uint32_t document_offset;
  std::uint32_t length;
  bool operator==(const Segment&) const = default;
};

// Counts of documents not packed whole and tokens that stand in no window.
// tokens in = tokens in windows - separators_added + tokens_dropped, always.
struct Ledger {
  std::uint64_t documents = 0;            // documents in, empty ones too
  std::uint64_t tokens = 0;               // tokens in, without separators
  std::uint64_t empty_documents = 0;      // no tokens: skipped
  std::uint64_t dropped_documents = 0;    // none of its tokens stand in a window
  std::uint64_t truncated_documents = 0;  // some of its tokens stand in no window
  std::uint64_t split_documents = 0;      // stands in more than one segment
  std::uint64_t duplicate_documents = 0;  // dropped by drop_duplicates
  std::uint64_t tokens_dropped = 0;       // tokens that stand in no window, for whatever reason
  std::uint64_t separators_added = 0;     // separator and BOS tokens written
  std::uint64_t filler_windows = 0;       // added by window_multiple; always 0 per source

  Ledger& operator+=(const Ledger& other);
  bool operator==(const Ledger&) const = default;
};

// Windows without the rest of a plan, as a Packer hands them out.
struct WindowList {
  Buffer<Segment> segments;
  Buffer<std::uint64_t> window_offsets = {0};  // [W+1] into segments

  [[nodiscard]] std::uint64_t window_count() const { return window_offsets.size() - 1; }
  [[nodiscard]] std::span<const Segment> window(std::uint64_t index) const {
    const auto at = static_cast<std::size_t>(index);
    const auto first = static_cast<std::size_t>(window_offsets[at]);
    return std::span(segments).subspan(first, static_cast<std::size_t>(window_offsets[at + 1]) - first);
  }
};

struct Plan : WindowList {
  Options options;
  Ledger ledger;
  std::vector<std::string> source_names;  // empty: one unnamed source
  std::vector<Ledger> ledger_by_source;   // one for each source name; one where there is none
};

// Tokens that a stored window holds: context_length, plus one with extra_token.
std::uint32_t stored_window_length(const Options& options);

// What became of one document. A document can be split and truncated.
struct DocumentFate {
  std::uint32_t document = 0;
  enum class Kind : std::uint8_t { empty, dropped, truncated, split, duplicate } kind = Kind::empty;
  std::uint64_t tokens_dropped = 0;
};

std::string_view document_fate_name(DocumentFate::Kind kind);  // "empty", "dropped", ...

// Every document that was not packed whole, ascending; the ids behind the ledger's counts. `documents` are
// those that the plan was made of; of fewer, what became of these.
std::vector<DocumentFate> document_fates(const Plan& plan, const Documents& documents);

// XXH64 (seed 0) of context_length as u32, window_offsets as u64 and each segment's document,
// document_offset and length as u32, little-endian, in window order.
std::uint64_t fingerprint(const Plan& plan);
std::string fingerprint_text(std::uint64_t value);  // 16 lower-case hex digits

}  // namespace packscope
