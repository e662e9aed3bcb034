// SPDX-License-Identifier: MIT
#include "megatron_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "lengths_reader.hpp"
#include "mapped_file.hpp"
#include "message.hpp"
#include "token_room.hpp"

namespace packscope::native {
namespace {

using namespace std::string_view_literals;

// Layout of the index, little-endian: magic [9], version u64, dtype code u8, sequences u64, entries of
// document_indices u64; then sizes i32 [sequences], pointers i64 [sequences] in bytes, document_indices i64.
// Multimodal data sets have a mode i8 [sequences] behind it.
constexpr std::string_view kMagic = "MMIDIDX\0\0"sv;
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 34;
constexpr std::string_view kIndexEnding = ".idx";

struct TokenType {
  std::string_view name;
  std::size_t bytes = 0;  // 0: not integers
};
// By code; code 0 is none.
constexpr std::array<TokenType, 9> kTokenTypes{{{"none", 0},
                                                {"uint8", 1},
                                                {"int8", 1},
                                                {"int16", 2},
                                                {"int32", 4},
                                                {"int64", 8},
                                                {"float64", 0},
                                                {"float32", 0},
                                                {"uint16", 2}}};

template <class T>
T load(std::span<const std::byte> bytes, std::uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

class MegatronFiles {
 public:
  static Result<MegatronFiles> open(const std::string& path) {
    if (!path.ends_with(kIndexEnding)) {
      return bad_usage(path,
                       ": --input megatron reads an index; name the .idx file, its .bin lies beside it");
    }
    Result<MappedFile> index = MappedFile::open(path);
    if (!index) return index.error();
    Result<MappedFile> tokens = MappedFile::open(path.substr(0, path.size() - kIndexEnding.size()) + ".bin");
    if (!tokens) return tokens.error();
    MegatronFiles files(path, std::move(*index), std::move(*tokens));
    if (Status checked = files.read_header(); !checked) return checked.error();
    return files;
  }

  [[nodiscard]] std::uint64_t documents() const { return document_entries_ - 1; }
  [[nodiscard]] std::uint64_t token_bytes() const { return tokens_.bytes().size(); }

  // Of document_indices[document].
  Result<std::uint64_t> first_sequence(std::uint64_t document) const {
    const auto sequence = load<std::int64_t>(index_.bytes(), documents_at_ + document * sizeof(std::int64_t));
    if (sequence >= 0 && static_cast<std::uint64_t>(sequence) <= sequences_)
      return static_cast<std::uint64_t>(sequence);
    return bad_data(name_, ": document ", document, " begins at sequence ", sequence, ", and there are ",
                    sequences_, "; write the index again");
  }

  // The bytes of a sequence's tokens.
  Result<std::span<const std::byte>> sequence(std::uint64_t index) const {
    const auto size = load<std::int32_t>(index_.bytes(), kHeaderBytes + index * sizeof(std::int32_t));
    const auto pointer = load<std::int64_t>(index_.bytes(), pointers_at_ + index * sizeof(std::int64_t));
    const std::uint64_t stored = tokens_.bytes().size();
    const std::uint64_t needed = size < 0 ? 0 : static_cast<std::uint64_t>(size) * type_.bytes;
    if (size < 0 || pointer < 0 || static_cast<std::uint64_t>(pointer) > stored ||
        needed > stored - static_cast<std::uint64_t>(pointer)) {
      return bad_data(name_, ": sequence ", index, " has ", size, " tokens at byte ", pointer,
                      ", and the .bin file has ", stored,
                      " bytes; the two files do not belong together, or one is cut short");
    }
    return tokens_.bytes().subspan(static_cast<std::size_t>(pointer), static_cast<std::size_t>(needed));
  }

  // Calls take(id) for each token until it returns false; whether it never did.
  template <class Take>
  bool visit(std::span<const std::byte> tokens, Take&& take) const {
    switch (code_) {
      case 1:
        return visit_as<std::uint8_t>(tokens, take);
      case 2:
        return visit_as<std::int8_t>(tokens, take);
      case 3:
        return visit_as<std::int16_t>(tokens, take);
      case 4:
        return visit_as<std::int32_t>(tokens, take);
      case 5:
        return visit_as<std::int64_t>(tokens, take);
      default:
        return visit_as<std::uint16_t>(tokens, take);
    }
  }

  [[nodiscard]] std::size_t bytes_per_token() const { return type_.bytes; }

 private:
  MegatronFiles(std::string name, MappedFile index, MappedFile tokens)
      : name_(std::move(name)), index_(std::move(index)), tokens_(std::move(tokens)) {}

  template <class T, class Take>
  static bool visit_as(std::span<const std::byte> tokens, Take& take) {
    for (std::size_t at = 0; at < tokens.size(); at += sizeof(T)) {
      if (!take(static_cast<std::int64_t>(load<T>(tokens, at)))) return false;
    }
    return true;
  }

  Status read_header() {
    const std::span<const std::byte> bytes = index_.bytes();
    const bool named =
        bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
    if (!named) return bad_data(name_, ": does not begin like a Megatron index; say what it is with --input");
    if (bytes.size() < kHeaderBytes) return cut_short();
    const auto version = load<std::uint64_t>(bytes, 9);
    if (version != kVersion) return bad_data(name_, ": index version ", version, "; version 1 is read");
    code_ = load<std::uint8_t>(bytes, 17);
    if (code_ >= kTokenTypes.size() || kTokenTypes[code_].bytes == 0) {
      return bad_data(name_, ": dtype code ", unsigned{code_},
                      code_ < kTokenTypes.size() ? concat(" (", kTokenTypes[code_].name, ")") : std::string(),
                      "; token ids must be integers (codes 1 to 5 and 8)");
    }
    type_ = kTokenTypes[code_];
    sequences_ = load<std::uint64_t>(bytes, 18);
    document_entries_ = load<std::uint64_t>(bytes, 26);
    return check_size();
  }

  Status check_size() {
    // Each count is below the file's size, so that the sums cannot overflow.
    const std::uint64_t size = index_.bytes().size();
    if (sequences_ > size || document_entries_ > size) return cut_short();
    if (document_entries_ == 0)
      return bad_data(name_, ": document_indices is empty; it ends with the number of sequences");
    pointers_at_ = kHeaderBytes + sequences_ * sizeof(std::int32_t);
    documents_at_ = pointers_at_ + sequences_ * sizeof(std::int64_t);
    const std::uint64_t end = documents_at_ + document_entries_ * sizeof(std::int64_t);
    if (end > size) return cut_short();
    if (end == size || end + sequences_ == size) return {};
    return bad_data(name_, ": ", counted_noun(size - end, "byte"), " more than its header announces");
  }

  [[nodiscard]] Status cut_short() const {
    return bad_data(name_, ": ends before what its header announces; it is cut short");
  }

  std::string name_;
  MappedFile index_;
  MappedFile tokens_;
  std::uint8_t code_ = 0;
  TokenType type_;
  std::uint64_t sequences_ = 0;
  std::uint64_t document_entries_ = 0;
  std::uint64_t pointers_at_ = 0;
  std::uint64_t documents_at_ = 0;
};

class Reader {
 public:
  Reader(const MegatronFiles& files, const std::string& name, const ReadOptions& options, CorpusData& corpus)
      : files_(files),
        name_(name),
        corpus_(corpus),
        keeps_tokens_(options.keeps_tokens()),
        largest_id_(options.largest_token_id()) {}

  [[nodiscard]] std::uint64_t tokens_done() const { return tokens_done_; }

  // `share`: of the documents to read, those before this one.
  Status read_document(std::uint64_t document, double share) {
    const Result<std::uint64_t> first = files_.first_sequence(document);
    if (!first) return first.error();
    const Result<std::uint64_t> last = files_.first_sequence(document + 1);
    if (!last) return last.error();
    if (*last < *first) {
      return bad_data(name_, ": document ", document, " ends at sequence ", *last, ", before it begins at ",
                      *first, "; write the index again");
    }
    std::uint64_t length = 0;
    for (std::uint64_t sequence = *first; sequence < *last; ++sequence) {
      const Result<std::span<const std::byte>> tokens = files_.sequence(sequence);
      if (!tokens) return tokens.error();
      if (Status added = add_tokens(document, *tokens, share); !added) return added;
      length += tokens->size() / files_.bytes_per_token();
    }
    tokens_done_ += length;
    if (length > kMaxLength) {
      return bad_data(name_, ": document ", document, " has ", length, " tokens; the limit is ", kMaxLength);
    }
    corpus_.document_offsets.push_back(corpus_.document_offsets.back() + length);
    return corpus_.settle();
  }

 private:
  Status add_tokens(std::uint64_t document, std::span<const std::byte> tokens, double share) {
    if (!keeps_tokens_) return {};
    make_room(corpus_.tokens, tokens.size() / files_.bytes_per_token(), tokens_done_, share,
              corpus_.token_memory.bytes);
    std::int64_t refused = 0;
    const bool taken = files_.visit(tokens, [&](std::int64_t id) {
      refused = id;
      if (id < 0 || id > largest_id_) return false;
      corpus_.tokens.push_back(static_cast<std::int32_t>(id));
      return true;
    });
    if (taken) return {};
    return Error{ErrorCode::token_out_of_range,
                 concat(name_, ": document ", document, " holds ", refused,
                        "; token ids are integers from 0 to ", largest_id_),
                 document};
  }

  const MegatronFiles& files_;
  const std::string& name_;
  CorpusData& corpus_;
  bool keeps_tokens_;
  std::int64_t largest_id_;
  std::uint64_t tokens_done_ = 0;
};

constexpr std::uint64_t kDocumentsPerProgress = 1 << 12;

}  // namespace

Status read_megatron(const std::string& path, const ReadOptions& options, CorpusData& corpus,
                     const ReadProgress& progress) {
  Result<MegatronFiles> files = MegatronFiles::open(path);
  if (!files) return files.error();
  corpus.tokens_known = options.keeps_tokens();
  const std::uint64_t room = options.limit_documents.value_or(UINT64_MAX) - corpus.document_count();
  const std::uint64_t wanted = std::min(files->documents(), room);
  Reader reader(*files, path, options, corpus);
  for (std::uint64_t document = 0; document < wanted; ++document) {
    const double share = static_cast<double>(document) / static_cast<double>(wanted);
    if (Status read = reader.read_document(document, share); !read) return read;
    if (progress && document % kDocumentsPerProgress == 0) {
      progress(reader.tokens_done() * files->bytes_per_token(), files->token_bytes());
    }
  }
  corpus.files.push_back({path, wanted});
  return {};
}

}  // namespace packscope::native
