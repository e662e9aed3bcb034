// SPDX-License-Identifier: MIT
#include "input/npy_tokens_reader.hpp"

#include <algorithm>

#include "files/mapped_file.hpp"
#include "files/npy.hpp"
#include "input/stored_tokens.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kDocumentsPerProgress = 1 << 12;

// An array of one dimension, where it lies.
struct IntegerArray {
  std::span<const std::byte> bytes;
  IntegerType type;

  [[nodiscard]] std::uint64_t size() const { return bytes.size() / type.bytes; }
  [[nodiscard]] std::int64_t operator[](std::uint64_t index) const {
    return load_integer(bytes.data() + index * type.bytes, type);
  }
  [[nodiscard]] std::span<const std::byte> between(std::uint64_t begin, std::uint64_t end) const {
    return bytes.subspan(static_cast<std::size_t>(begin) * type.bytes,
                         static_cast<std::size_t>(end - begin) * type.bytes);
  }
};

bool is_compressed(std::span<const std::byte> file) {
  return file.size() > 1 && ((file[0] == std::byte{0x1f} && file[1] == std::byte{0x8b}) ||
                             (file[0] == std::byte{0x28} && file[1] == std::byte{0xb5}));
}

Result<IntegerArray> integer_array(std::span<const std::byte> file, std::string_view name,
                                   std::string_view what) {
  if (is_compressed(file)) {
    return bad_data(name,
                    ": is compressed, and arrays of tokens and offsets are read in place; unpack it first");
  }
  const Result<NpyHeader> header = take_npy_header(file, name);
  if (!header) return header.error();
  const std::optional<IntegerType> type = integer_type(header->descr);
  if (!type) {
    return bad_data(name, ": dtype '", header->descr, "'; ", what,
                    " must be integers (int8 to int64 or uint8 to uint64)");
  }
  if (header->shape.size() != 1) {
    return bad_data(name, ": shape ", shape_text(*header), "; ", what, " must have one dimension");
  }
  if (header->shape[0] != file.size() / type->bytes || file.size() % type->bytes != 0) {
    return bad_data(name, ": holds ", counted_noun(file.size(), "byte"), " behind a header that announces ",
                    header->shape[0], " values of ", type->bytes, "; the file is cut short or damaged");
  }
  return IntegerArray{file, *type};
}

// Looks at the ends only: whether they ascend between them is seen on the way.
Status check_ends(const IntegerArray& offsets, const std::string& name, std::uint64_t token_count) {
  constexpr std::string_view kRemedy =
      "; write numpy.concatenate([[0], numpy.cumsum(lengths)]), one more than there are documents";
  if (offsets.size() == 0) return bad_data(name, ": holds no offset", kRemedy);
  if (offsets[0] != 0) return bad_data(name, ": the first offset is ", offsets[0], " and must be 0", kRemedy);
  const std::int64_t last = offsets[offsets.size() - 1];
  if (last >= 0 && static_cast<std::uint64_t>(last) == token_count) return {};
  return bad_data(name, ": the last offset is ", last, ", and there are ", token_count, " tokens", kRemedy);
}

}  // namespace

Status read_npy_tokens(const std::string& path, const std::string& offsets_path, const ReadOptions& options,
                       CorpusData& corpus, const ReadProgress& progress) {
  const Result<MappedFile> token_file = MappedFile::open(path);
  if (!token_file) return token_file.error();
  const Result<IntegerArray> ids = integer_array(token_file->bytes(), path, "token ids");
  if (!ids) return ids.error();
  const Result<MappedFile> offset_file = MappedFile::open(offsets_path);
  if (!offset_file) return offset_file.error();
  const Result<IntegerArray> offsets = integer_array(offset_file->bytes(), offsets_path, "offsets");
  if (!offsets) return offsets.error();
  if (Status ends = check_ends(*offsets, offsets_path, ids->size()); !ends) return ends;

  const std::uint64_t room = options.limit_documents.value_or(UINT64_MAX) - corpus.document_count();
  const std::uint64_t wanted = std::min(offsets->size() - 1, room);
  StoredTokens tokens(path, ids->type, options, corpus);
  std::uint64_t begin = 0;
  for (std::uint64_t document = 0; document < wanted; ++document) {
    const std::int64_t end = (*offsets)[document + 1];
    if (end < static_cast<std::int64_t>(begin) || static_cast<std::uint64_t>(end) > ids->size()) {
      return bad_data(offsets_path, ": the offset at index ", document + 1, " is ", end,
                      "; it must not be less than the one before it, ", begin, ", nor more than the ",
                      ids->size(), " tokens");
    }
    const double share = static_cast<double>(document) / static_cast<double>(wanted);
    if (Status added = tokens.add(ids->between(begin, static_cast<std::uint64_t>(end)), share); !added)
      return added;
    if (Status ended = tokens.end_document(); !ended) return ended;
    begin = static_cast<std::uint64_t>(end);
    if (progress && document % kDocumentsPerProgress == 0) progress(tokens.bytes_done(), ids->bytes.size());
  }
  corpus.files.push_back({path, wanted});
  return {};
}

}  // namespace packscope::native
