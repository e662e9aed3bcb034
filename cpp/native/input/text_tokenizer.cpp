// SPDX-License-Identifier: MIT
#include "input/text_tokenizer.hpp"

#include <sentencepiece_processor.h>
#include <simdjson.h>

#include <cstdio>
#include <vector>

#include "files/crc32.hpp"
#include "files/json_text.hpp"
#include "input/byte_source.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::string_view kRemedy =
    "; --tokenizer takes a SentencePiece model (.model) or bytes; with another tokenizer, tokenize first and "
    "pack the ids with --tokens-field";

std::string checksum_of(std::string_view bytes) {
  const std::uint32_t sum = crc32_of(std::as_bytes(std::span(bytes)));
  char text[sizeof "crc32:" + 8];
  std::snprintf(text, sizeof text, "crc32:%08x", sum);
  return text;
}

}  // namespace

struct TextTokenizer::Model {
  sentencepiece::SentencePieceProcessor processor;
  std::vector<int> ids;  // of one text
};

TextTokenizer::TextTokenizer() = default;
TextTokenizer::TextTokenizer(TextTokenizer&&) noexcept = default;
TextTokenizer& TextTokenizer::operator=(TextTokenizer&&) noexcept = default;
TextTokenizer::~TextTokenizer() = default;

Result<TextTokenizer> TextTokenizer::open(const std::string& name) {
  TextTokenizer tokenizer;
  if (name == kByteTokenizer) return tokenizer;
  if (name.empty() || name == "-") return bad_usage("--tokenizer '", name, "' is no file", kRemedy);
  Result<ByteSource> file = ByteSource::open(name);
  if (!file) return Error{file.error().code, concat(file.error().message, kRemedy)};
  Result<std::string> bytes = read_all(*file, {});
  if (!bytes) return bytes.error();
  tokenizer.model_ = std::make_unique<Model>();
  const sentencepiece::util::Status loaded = tokenizer.model_->processor.LoadFromSerializedProto(*bytes);
  if (!loaded.ok() || bytes->empty()) {
    return bad_data(name, ": is not a SentencePiece model", kRemedy);
  }
  tokenizer.checksum_ = checksum_of(*bytes);
  return tokenizer;
}

Result<std::uint64_t> TextTokenizer::tokenize(std::string_view text, TokenStore* tokens) const {
  if (!model_) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    if (tokens != nullptr) tokens->append(std::span(bytes, text.size()));
    return std::uint64_t{text.size()};
  }
  // SentencePiece would put U+FFFD where the text is no UTF-8, and not say so.
  if (!simdjson::validate_utf8(text)) {
    return bad_data(
        "byte ", first_invalid_utf8(text).value_or(0) + 1,
        " of the text is not valid UTF-8, which a SentencePiece model needs; convert it to UTF-8, "
        "or use --tokenizer bytes");
  }
  std::vector<int>& ids = model_->ids;
  const sentencepiece::util::Status encoded = model_->processor.Encode(text, &ids);
  if (!encoded.ok()) return bad_data("SentencePiece refuses the text: ", encoded.ToString());
  if (tokens != nullptr) tokens->append(ids);
  return std::uint64_t{ids.size()};
}

}  // namespace packscope::native
