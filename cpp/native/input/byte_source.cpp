// SPDX-License-Identifier: MIT
#include "input/byte_source.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "input/gzip_decompressor.hpp"
#include "input/repairs.hpp"
#include "input/zstd_decompressor.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kCompressedChunkBytes = 1 << 18;
constexpr std::uint64_t kSmallestWholeBytes = 1 << 12;
constexpr std::uint64_t kLargestFirstBytes = 2 << 20;
// Less is as fast to read, and files that the system makes up on reading have no true size.
constexpr std::uint64_t kLeastMappedBytes = 1 << 20;
constexpr std::size_t kMagicBytes = 4;

using namespace std::string_view_literals;
constexpr std::string_view kGzip = "\x1f\x8b"sv;
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd"sv;
constexpr std::string_view kBzip2 = "BZh"sv;
constexpr std::string_view kXz =
    "\xfd"
    "7zX"sv;

// A frame of data, or one to skip, with which parallel writers and seekable files begin.
bool is_zstd(std::string_view first) {
  return first.starts_with(kZstd) || (first.ends_with("\x2a\x4d\x18"sv) && (first[0] & 0xf0) == 0x50);
}

}  // namespace

void ByteSource::CloseFile::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

ByteSource::ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

Result<ByteSource> ByteSource::open(const std::string& path, Repairs* repairs) {
  ByteSource source;
  source.repairs_ = repairs;
  source.name_ = path == "-" ? "<stdin>" : path;
  source.file_.reset(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!source.file_) return system_error("cannot read", source.name_);
  struct stat info {};
  if (fstat(fileno(source.file_.get()), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return bad_data(path, ": is a folder; name the files in it");
    if (S_ISREG(info.st_mode)) source.bytes_total_ = static_cast<std::uint64_t>(info.st_size);
  }
  if (Status known = source.recognize(); !known) return known.error();
  const bool is_plain = source.file_.get() != stdin && !source.decompressor_;
  source.can_map_ = is_plain && source.bytes_total_ >= kLeastMappedBytes;
  return source;
}

Status ByteSource::recognize() {
  std::string first(kMagicBytes, '\0');
  std::size_t size = 0;
  while (size < kMagicBytes) {
    Result<std::size_t> got = read_stored(std::span(first).subspan(size));
    if (!got) return got.error();
    if (*got == 0) break;
    size += *got;
  }
  first.resize(size);
  if (first.starts_with(kXz) || first.starts_with(kBzip2)) {
    return bad_data(name_,
                    ": is compressed with xz or bzip2; gzip and zstd are read, or decompress it into "
                    "packscope COMMAND -");
  }
  if (Status whole = check_length(size); !whole) return whole;
  if (first.starts_with(kGzip)) decompressor_ = std::make_unique<GzipDecompressor>(name_);
  if (is_zstd(first)) decompressor_ = std::make_unique<ZstdDecompressor>(name_);
  if (decompressor_) decompressor_->buffer.resize(kCompressedChunkBytes);
  peeked_ = std::move(first);
  return {};
}

// A file that is too short to tell its compression, though its name does.
Status ByteSource::check_length(std::size_t size) const {
  const bool gzip = name_.ends_with(".gz") && size < kGzip.size();
  const bool zstd = name_.ends_with(".zst") && size < kZstd.size();
  if (!gzip && !zstd) return {};
  return bad_data(name_, ": the ", gzip ? "gzip" : "zstd", " data ends early, after ", size,
                  size == 1 ? " byte" : " bytes", ": the file is truncated; fetch it again");
}

Result<std::size_t> ByteSource::read_stored(std::span<char> into) {
  if (!peeked_.empty()) {
    const std::size_t size = std::min(peeked_.size(), into.size());
    std::memcpy(into.data(), peeked_.data(), size);
    peeked_.erase(0, size);
    return size;
  }
  errno = 0;
  const std::size_t size = std::fread(into.data(), 1, into.size(), file_.get());
  if (size < into.size() && std::ferror(file_.get())) return system_error("cannot read", name_);
  bytes_done_ += size;
  return size;
}

Result<std::size_t> ByteSource::read_decompressed(std::span<char> into) {
  while (true) {
    if (decompressor_->hungry()) {
      Result<std::size_t> got = read_stored(decompressor_->buffer);
      if (!got) return got;
      if (*got == 0) {
        // What the library still holds back from the last input comes first.
        Result<std::size_t> rest = decompressor_->decompress(into);
        if (!rest || *rest > 0) return rest;
        if (Status complete = finish(); !complete) return complete.error();
        return std::size_t{0};
      }
      decompressor_->give(std::span(decompressor_->buffer).first(*got));
    }
    Result<std::size_t> written = decompressor_->decompress(into);
    if (!written || *written > 0) return written;
  }
}

Status ByteSource::finish() {
  if (repairs_ && decompressor_->skipped_zeros()) ++repairs_->zero_padded_files;
  repairs_ = nullptr;  // whoever asks again at the end is not counted again
  return decompressor_->finish();
}

Result<std::size_t> ByteSource::read(std::span<char> into) {
  if (into.empty()) return std::size_t{0};
  return decompressor_ ? read_decompressed(into) : read_stored(into);
}

Result<std::optional<std::string_view>> ByteSource::map(MappedWindow& window, std::uint64_t begin,
                                                        std::size_t most_bytes) {
  if (Status measured = measure(); !measured) return measured.error();
  const std::size_t size = std::min<std::uint64_t>(bytes_total_ - begin, most_bytes);
  bytes_done_ = begin + size;
  if (size == 0) return std::optional<std::string_view>("");
  return window.show(fileno(file_.get()), begin, size);
}

Status ByteSource::read_from(std::uint64_t begin) {
  maps_ = false;
  peeked_.clear();
  bytes_done_ = begin;
  if (fseeko(file_.get(), static_cast<off_t>(begin), SEEK_SET) == 0) return {};
  return system_error("cannot read", name_);
}

// A file may grow while it is read.
Status ByteSource::measure() {
  struct stat info {};
  if (fstat(fileno(file_.get()), &info) != 0) return system_error("cannot read", name_);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < bytes_total_) {
    return Error{ErrorCode::io_error, concat(name_, ": the file became shorter while it was read")};
  }
  bytes_total_ = size;
  return {};
}

Result<std::string> read_all(ByteSource& source, const ReadProgress& progress) {
  // Room for a byte more than a plain file has: its end shows without growing.
  std::string bytes(std::clamp(source.bytes_total() + 1, kSmallestWholeBytes, kLargestFirstBytes), '\0');
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(bytes.size() * 2);
    Result<std::size_t> got = source.read(std::span(bytes).subspan(size));
    if (!got) return got.error();
    if (*got == 0) break;
    size += *got;
    if (progress) progress(source.bytes_done(), source.bytes_total());
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace packscope::native
