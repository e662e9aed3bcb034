// SPDX-License-Identifier: MIT
// The bytes of a file or of standard input, decompressed where they are gzip or zstd.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "files/mapped_window.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

// Told how many bytes of a file have been read of how many; the total is 0 where it is unknown.
using ReadProgress = std::function<void(std::uint64_t done_bytes, std::uint64_t total_bytes)>;

class Decompressor;
struct Repairs;

class ByteSource {
 public:
  // `path` "-" is standard input. A compression is known by its first bytes, not by its name. Refuses
  // folders and compressions that it cannot read. What is put right is counted in `repairs`, where it is
  // given; it must outlive the source.
  static Result<ByteSource> open(const std::string& path, Repairs* repairs = nullptr);

  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;
  ~ByteSource();

  // Fills the front of `into` and returns how many bytes; 0 only at the end. Truncated or
  // damaged compressed data is an error that names the byte.
  Result<std::size_t> read(std::span<char> into);

  // Asks for map() in place of read(), which spares a copy. Not for pipes, compressed files and short ones.
  void prefer_mapping() { maps_ = can_map_; }
  [[nodiscard]] bool maps() const { return maps_; }

  // The bytes of the file from `begin` on, `most_bytes` of them or as many as it has, as `window` then shows
  // them; none at the end. Whoever writes to the file changes them. A file that became shorter is an error
  // where that shows in time, and SIGBUS where not. Nothing where the system refuses: read_from() goes on.
  Result<std::optional<std::string_view>> map(MappedWindow& window, std::uint64_t begin,
                                              std::size_t most_bytes);

  // Ends mapping: read() goes on from `begin`.
  Status read_from(std::uint64_t begin);

  [[nodiscard]] const std::string& name() const { return name_; }  // "<stdin>" for "-"
  [[nodiscard]] bool is_compressed() const { return decompressor_ != nullptr; }
  [[nodiscard]] std::uint64_t bytes_done() const { return bytes_done_; }    // as stored
  [[nodiscard]] std::uint64_t bytes_total() const { return bytes_total_; }  // as stored; 0: unknown

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const;
  };

  ByteSource();
  Status recognize();
  Status check_length(std::size_t size) const;
  Status finish();
  Result<std::size_t> read_stored(std::span<char> into);
  Result<std::size_t> read_decompressed(std::span<char> into);
  Status measure();

  std::unique_ptr<std::FILE, CloseFile> file_;
  std::unique_ptr<Decompressor> decompressor_;  // none: the bytes are plain
  Repairs* repairs_ = nullptr;
  std::string name_;
  std::string peeked_;  // first bytes, read to recognize the compression
  bool can_map_ = false;
  bool maps_ = false;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
};

// Everything that `source` has left.
Result<std::string> read_all(ByteSource& source, const ReadProgress& progress);

}  // namespace packscope::native
