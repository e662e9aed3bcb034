// SPDX-License-Identifier: MIT
#include "input/megatron_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "files/mapped_file.hpp"
#include "files/megatron_layout.hpp"
#include "input/stored_tokens.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kHeaderBytes = 34;

struct TokenType {
  std::string_view name;
  IntegerType stored;  // of no bytes: not integers
};
// By code; code 0 is none.
constexpr std::array<TokenType, 9> kTokenTypes{{{"none", {}},
                                                {"uint8", {1, false}},
                                                {"int8", {1, true}},
                                                {"int16", {2, true}},
                                                {"int32", {4, true}},
                                                {"int64", {8, true}},
                                                {"float64", {}},
                                                {"float32", {}},
                                                {"uint16", {2, false}}}};

static_assert(kTokenTypes[kMegatronInt32].name == "int32" && kTokenTypes[kMegatronUint16].name == "uint16");

template <class T>
T load(std::span<const std::byte> bytes, std::uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

class MegatronFiles {
 public:
  static Result<MegatronFiles> open(const std::string& path) {
    if (!path.ends_with(kMegatronIndexEnding) && !path.ends_with(kTokenFileEnding)) {
      return bad_usage(path,
                       ": --input megatron reads an .idx file with its .bin beside it; name one of them");
    }
    static_assert(kMegatronIndexEnding.size() == kTokenFileEnding.size());
    const std::string stem = path.substr(0, path.size() - kMegatronIndexEnding.size());
    const std::string index_path = concat(stem, kMegatronIndexEnding);
    Result<MappedFile> index = MappedFile::open(index_path);
    if (!index) return index.error();
    Result<MappedFile> tokens = MappedFile::open(concat(stem, kTokenFileEnding));
    if (!tokens) return tokens.error();
    MegatronFiles files(index_path, std::move(*index), std::move(*tokens));
    if (Status checked = files.read_header(); !checked) return checked.error();
    return files;
  }

  [[nodiscard]] const std::string& name() const { return name_; }
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

  [[nodiscard]] const IntegerType& token_type() const { return type_; }

 private:
  MegatronFiles(std::string name, MappedFile index, MappedFile tokens)
      : name_(std::move(name)), index_(std::move(index)), tokens_(std::move(tokens)) {}

  Status read_header() {
    const std::span<const std::byte> bytes = index_.bytes();
    const bool named = bytes.size() >= kMegatronMagic.size() &&
                       std::memcmp(bytes.data(), kMegatronMagic.data(), kMegatronMagic.size()) == 0;
    if (!named) return bad_data(name_, ": does not begin like a Megatron index; say what it is with --input");
    if (bytes.size() < kHeaderBytes) return cut_short();
    const auto version = load<std::uint64_t>(bytes, 9);
    if (version != kMegatronVersion)
      return bad_data(name_, ": index version ", version, "; version 1 is read");
    const auto code = load<std::uint8_t>(bytes, 17);
    if (code >= kTokenTypes.size() || kTokenTypes[code].stored.bytes == 0) {
      return bad_data(name_, ": dtype code ", unsigned{code},
                      code < kTokenTypes.size() ? concat(" (", kTokenTypes[code].name, ")") : std::string(),
                      "; token ids must be integers (codes 1 to 5 and 8)");
    }
    type_ = kTokenTypes[code].stored;
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
  IntegerType type_;
  std::uint64_t sequences_ = 0;
  std::uint64_t document_entries_ = 0;
  std::uint64_t pointers_at_ = 0;
  std::uint64_t documents_at_ = 0;
};

// `share`: of the documents to read, those before this one.
Status read_document(const MegatronFiles& files, std::uint64_t document, double share, StoredTokens& into) {
  const Result<std::uint64_t> first = files.first_sequence(document);
  if (!first) return first.error();
  const Result<std::uint64_t> last = files.first_sequence(document + 1);
  if (!last) return last.error();
  if (*last < *first) {
    return bad_data(files.name(), ": document ", document, " ends at sequence ", *last,
                    ", before it begins at ", *first, "; write the index again");
  }
  for (std::uint64_t sequence = *first; sequence < *last; ++sequence) {
    const Result<std::span<const std::byte>> tokens = files.sequence(sequence);
    if (!tokens) return tokens.error();
    if (Status added = into.add(*tokens, share); !added) return added;
  }
  return into.end_document();
}

constexpr std::uint64_t kDocumentsPerProgress = 1 << 12;

}  // namespace

Status read_megatron(const std::string& path, const ReadOptions& options, CorpusData& corpus,
                     const ReadProgress& progress) {
  Result<MegatronFiles> files = MegatronFiles::open(path);
  if (!files) return files.error();
  const std::uint64_t room = options.limit_documents.value_or(UINT64_MAX) - corpus.document_count();
  const std::uint64_t wanted = std::min(files->documents(), room);
  StoredTokens tokens(files->name(), files->token_type(), options, corpus);
  for (std::uint64_t document = 0; document < wanted; ++document) {
    const double share = static_cast<double>(document) / static_cast<double>(wanted);
    if (Status read = read_document(*files, document, share, tokens); !read) return read;
    if (progress && document % kDocumentsPerProgress == 0)
      progress(tokens.bytes_done(), files->token_bytes());
  }
  corpus.files.push_back({path, wanted});
  return {};
}

}  // namespace packscope::native
