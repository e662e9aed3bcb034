// SPDX-License-Identifier: MIT
// What a reader fills: the documents of all input files with everything that belongs to them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/spool.hpp"
#include "input/line_reader.hpp"
#include "input/token_store.hpp"
#include "packscope/buffer.hpp"
#include "packscope/corpus.hpp"
#include "packscope/histogram.hpp"

namespace packscope::native {

// A per-token field that came along with the tokens.
struct Field {
  std::string name;
  DType dtype = DType::int32;
  Buffer<std::byte> values;
};

// The original JSON objects, one a document, without line ends. Kept only on request.
struct Records {
  std::string bytes;
  std::vector<std::uint64_t> offsets{0};

  void add(std::string_view record) {
    bytes += record;
    offsets.push_back(bytes.size());
  }
  void append(const Records& more) {
    for (std::size_t i = 1; i < more.offsets.size(); ++i) offsets.push_back(bytes.size() + more.offsets[i]);
    bytes += more.bytes;
  }
  [[nodiscard]] std::string_view operator[](std::uint64_t document) const {
    return std::string_view(bytes).substr(offsets[document], offsets[document + 1] - offsets[document]);
  }
};

struct InputFile {
  std::string path;
  std::uint64_t documents = 0;
};

// Where the tokens go that do not fit in memory.
struct TokenMemory {
  std::uint64_t bytes = UINT64_MAX;  // that tokens take in memory, before the others go to a file
  std::string folder;                // of that file
};

struct CorpusData;

// Takes the documents read so far, those behind the ones that were taken before. document_offsets go on from
// there. Afterwards the corpus lets go of them.
using TakeDocuments = std::function<Status(const CorpusData& read)>;

struct CorpusData {
  CorpusData() = default;
  CorpusData(CorpusData&&) = default;  // views survive a move, but not a copy
  CorpusData& operator=(CorpusData&&) = default;

  bool tokens_known = false;  // false: lengths alone, whatever the input holds
  TokenStore tokens;          // those that are not in the spool; see widen_tokens()
  TokenMemory token_memory;
  std::optional<Spool> spool;  // none: all tokens are in memory
  TakeDocuments take;          // instead of the spool: documents go where this takes them
  std::vector<std::uint64_t> document_offsets{0};
  Buffer<std::uint8_t> loss_mask;             // empty: none given
  std::vector<std::uint32_t> prompt_lengths;  // empty: none given
  std::vector<Field> fields;
  std::vector<std::uint32_t> sources;     // empty: none given
  std::vector<std::string> source_names;  // in order of first appearance
  std::vector<LengthCount> histogram;     // instead of documents where the input is one

  Records records;
  std::string tokenizer_checksum;  // of the model that made the tokens; empty: none did
  std::vector<InputFile> files;
  Repairs repairs;
  std::vector<std::string> fields_left_out;  // as long as the tokens, but not numbers

  std::vector<FieldView> field_views;  // of `fields`; made by finish()

  // Both with the documents that were taken.
  [[nodiscard]] std::uint64_t document_count() const { return taken_documents_ + held_documents(); }
  [[nodiscard]] std::uint64_t token_count() const { return document_offsets.back(); }
  [[nodiscard]] std::uint64_t held_documents() const { return document_offsets.size() - 1; }
  [[nodiscard]] std::uint64_t documents_with_tokens() const;

  // Call before ids wider than a byte come: those in memory and in the spool are widened, none twice.
  Status widen_tokens();

  // Moves tokens, or documents, out of memory where there are too many. Call between documents.
  Status settle();

  // Call after the last document.
  Status finish();

  // Without documents again, its memory kept.
  void clear();

  // Appends the documents of `more`, which have no fields and are read with the same options.
  void append(const CorpusData& more);

  // Of that name, which is new if it is not known.
  std::uint32_t source_number(std::string_view name);

  // Valid until this is changed or moved.
  [[nodiscard]] Corpus view() const;

 private:
  [[nodiscard]] std::uint64_t token_bytes() const { return tokens.size() * tokens.id_bytes(); }
  [[nodiscard]] TokenView all_tokens() const;
  Status widen_spool();
  Status spool_tokens();
  Status hand_over();
  void append_sources(const CorpusData& more);

  std::uint64_t taken_documents_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> source_ids_;
};

}  // namespace packscope::native
