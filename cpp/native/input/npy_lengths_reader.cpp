// SPDX-License-Identifier: MIT
#include "input/npy_lengths_reader.hpp"

#include <algorithm>
#include <utility>

#include "files/npy.hpp"
#include "input/lengths_reader.hpp"
#include "input/stored_integers.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kChunkValues = 1 << 16;

Status append_lengths(std::span<const char> bytes, const IntegerType& type, std::string_view name,
                      CorpusData& corpus, std::uint64_t first_index) {
  std::uint64_t index = first_index;
  std::int64_t refused = 0;
  const bool taken = visit_integers(std::as_bytes(bytes), type, [&](std::int64_t length) {
    refused = length;
    if (length < 0 || static_cast<std::uint64_t>(length) > kMaxLength) return false;
    corpus.document_offsets.push_back(corpus.document_offsets.back() + static_cast<std::uint64_t>(length));
    ++index;
    return true;
  });
  if (taken) return {};
  return bad_data(name, ": the value at index ", index, refused < 0 ? " is negative" : " is too large",
                  "; a document length is an integer from 0 to ", kMaxLength);
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
    if (Status settled = corpus.settle(); !settled) return settled;
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
