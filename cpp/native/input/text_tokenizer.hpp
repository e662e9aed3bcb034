// SPDX-License-Identifier: MIT
// How text becomes token ids: every byte is one, or a SentencePiece model decides.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "input/token_store.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

// The built-in tokenizer: every byte of UTF-8 text is a token, its value the id.
inline constexpr std::string_view kByteTokenizer = "bytes";

class TextTokenizer {
 public:
  // `name` is "bytes" or the file of a SentencePiece model.
  static Result<TextTokenizer> open(const std::string& name);

  TextTokenizer(TextTokenizer&&) noexcept;
  TextTokenizer& operator=(TextTokenizer&&) noexcept;
  ~TextTokenizer();

  // Counts the ids of `text`, without BOS or EOS, and appends them to `tokens` where it is given. A model
  // takes UTF-8 only; an error names the byte.
  Result<std::uint64_t> tokenize(std::string_view text, TokenStore* tokens) const;

  // Whether every byte is a token.
  [[nodiscard]] bool takes_bytes() const { return model_ == nullptr; }

  // Tells one model's bytes from another's: "crc32:0f1e2d3c". Empty for bytes.
  [[nodiscard]] const std::string& checksum() const { return checksum_; }

 private:
  struct Model;

  TextTokenizer();

  std::unique_ptr<Model> model_;  // none: bytes
  std::string checksum_;
};

}  // namespace packscope::native
