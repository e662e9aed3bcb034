// SPDX-License-Identifier: MIT
// Token ids that stand as integers in a mapped file, checked and added to the corpus document by document:
// what the readers of Megatron's, raw and .npy tokens share.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "input/corpus_data.hpp"
#include "input/read_options.hpp"
#include "input/stored_integers.hpp"

namespace packscope::native {

class StoredTokens {
 public:
  // `name`, in messages, is that of the file; it and `corpus` must outlive this.
  StoredTokens(const std::string& name, const IntegerType& type, const ReadOptions& options,
               CorpusData& corpus);

  // Adds tokens to the document under way. With lengths alone they are counted and not looked at. `share`: of
  // the file's documents, those before this one.
  Status add(std::span<const std::byte> tokens, double share);

  // Ends the document under way.
  Status end_document();

  // Both of this file.
  [[nodiscard]] std::uint64_t documents_done() const { return documents_done_; }
  [[nodiscard]] std::uint64_t bytes_done() const { return tokens_done_ * type_.bytes; }

 private:
  [[nodiscard]] bool is_narrow() const { return type_.bytes == 1 && !type_.is_signed; }
  Status add_bytes(std::span<const std::byte> tokens);
  Status add_integers(std::span<const std::byte> tokens);
  [[nodiscard]] Error out_of_range(std::int64_t id) const;

  const std::string& name_;
  IntegerType type_;
  CorpusData& corpus_;
  bool keeps_tokens_;
  std::int64_t largest_id_;
  std::uint64_t length_ = 0;  // of the document under way
  std::uint64_t tokens_done_ = 0;
  std::uint64_t documents_done_ = 0;
};

}  // namespace packscope::native
