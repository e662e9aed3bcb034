// SPDX-License-Identifier: MIT
#include "npy_lengths_reader.hpp"

#include <algorithm>
#include <utility>

#include "lengths_reader.hpp"
#include "npy.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kChunkValues = 1 << 16;

struct IntegerType {
  std::size_t bytes = 0;
  bool is_signed = false;
  bool big_endian = false;
};

// From a dtype such as "<i4", "|u1" or ">u8".
std::optional<IntegerType> integer_type(std::string_view descr) {
  if (descr.size() != 3) return {};
  const char order = descr[0], kind = descr[1], width = descr[2];
  if (order != '<' && order != '>' && order != '|' && order != '=') return {};
  if (kind != 'i' && kind != 'u') return {};
  if (width != '1' && width != '2' && width != '4' && width != '8') return {};
  return IntegerType{static_cast<std::size_t>(width - '0'), kind == 'i', order == '>'};
}

std::uint64_t value_at(const char* bytes, const IntegerType& type) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < type.bytes; ++i) {
    const std::size_t at = type.big_endian ? i : type.bytes - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes[at]);
  }
  return value;
}

bool is_negative(std::uint64_t value, const IntegerType& type) {
  return type.is_signed && (value >> (type.bytes * 8 - 1) & 1) != 0;
}

std::string shape_text(const NpyHeader& header) {
  std::string text;
  for (const std::uint64_t extent : header.shape) text += concat(text.empty() ? "" : ", ", extent);
  return "(" + text + ")";
}

Status append_lengths(std::span<const char> bytes, const IntegerType& type, std::string_view name,
                      CorpusData& corpus, std::uint64_t first_index) {
  for (std::size_t at = 0; at < bytes.size(); at += type.bytes) {
    const std::uint64_t value = value_at(bytes.data() + at, type);
    if (is_negative(value, type) || value > kMaxLength) {
      return bad_data(name, ": the value at index ", first_index + at / type.bytes,
                      is_negative(value, type) ? " is negative" : " is too large",
                      "; a document length is an integer from 0 to ", kMaxLength);
    }
    corpus.document_offsets.push_back(corpus.document_offsets.back() + value);
  }
  return {};
}

}  // namespace

Status read_npy_lengths(ByteSource source, const ReadOptions& options, CorpusData& corpus,
                        const ReadProgress& progress) {
  Result<NpyHeader> header = read_npy_header(source);
  if (!header) return header.error();
  const std::optional<IntegerType> type = integer_type(header->descr);
  if (!type) {
    return bad_data(source.name(), ": dtype '", header->descr,
                    "'; document lengths must be integers (int8 to int64 or uint8 to uint64)");
  }
  if (header->shape.size() != 1) {
    return bad_data(source.name(), ": shape ", shape_text(*header),
                    "; document lengths must have one dimension");
  }
  const std::uint64_t stored = header->value_count();
  const std::uint64_t room = options.limit_documents.value_or(UINT64_MAX) - corpus.document_count();
  const std::uint64_t wanted = std::min(stored, room);
  std::vector<char> chunk(kChunkValues * type->bytes);
  for (std::uint64_t first = 0; first < wanted; first += kChunkValues) {
    const std::uint64_t count = std::min<std::uint64_t>(kChunkValues, wanted - first);
    const std::span<char> bytes = std::span(chunk).first(static_cast<std::size_t>(count) * type->bytes);
    if (Status read = read_exactly(source, bytes); !read) return read;
    if (Status taken = append_lengths(bytes, *type, source.name(), corpus, first); !taken) return taken;
    if (progress) progress(source.bytes_done(), source.bytes_total());
  }
  if (wanted == stored) {
    Result<std::size_t> extra = source.read(std::span(chunk).first(1));
    if (!extra) return extra.error();
    if (*extra > 0) {
      return bad_data(source.name(), ": more bytes follow the ", counted_noun(stored, "value"),
                      " that the header announces");
    }
  }
  corpus.files.push_back({source.name(), wanted});
  return {};
}

}  // namespace packscope::native
