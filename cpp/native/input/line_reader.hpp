// SPDX-License-Identifier: MIT
// The lines of a file one by one, whatever its line ends, byte order mark or compression.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "input/byte_source.hpp"
#include "input/repairs.hpp"
#include "message.hpp"

namespace packscope::native {

struct LineBlock;

class LineReader {
 public:
  // Bytes after a line that may be read (their content means nothing), as simdjson and scans by blocks want.
  static constexpr std::size_t kPaddingBytes = 128;

  // Maps the file if `source` does: its lines may then change under the reader.
  LineReader(ByteSource source, Repairs& repairs, ReadProgress progress);
  // The lines of a block of the file `name`, which must outlive this.
  LineReader(const LineBlock& block, std::string name, Repairs& repairs);

  // The next line without its end, or nothing after the last. Valid until the next call. Only a line
  // feed ends a line; a missing one at the end of the file adds nothing.
  Result<std::optional<std::string_view>> next();

  // For who finds the end of a line itself: bytes of the lines to come, perhaps none and perhaps ending
  // within one, with padding behind them; and the line that is the first `size` of them, its line feed
  // included.
  [[nodiscard]] std::string_view ahead() const { return {buffer_ + begin_, end_ - begin_}; }
  std::string_view take_ahead(std::size_t size) { return take(begin_ + size - 1, begin_ + size); }

  [[nodiscard]] bool is_mapped() const { return maps_; }
  // Lines to come are copied, sooner or later.
  void stop_mapping() { stops_mapping_ = true; }
  [[nodiscard]] bool stops_mapping() const { return stops_mapping_; }

  [[nodiscard]] Place place() const { return {name_, line_}; }  // of the last line given
  // How much of the file its lines so far make up, from 0 to 1; 0 where the whole is unknown.
  [[nodiscard]] double share() const;

 private:
  Status fill();
  Status map_more();
  Status return_to_reading();
  Status read_more();
  Status skip_byte_order_mark();
  std::string_view take(std::size_t end, std::size_t next_begin);

  std::optional<ByteSource> source_;  // none: everything is in the buffer
  std::string name_;
  Repairs& repairs_;
  ReadProgress progress_;
  bool starts_file_ = true;
  bool maps_ = false;
  bool stops_mapping_ = false;
  MappedWindow window_;
  std::unique_ptr<char[]> room_;  // none: the buffer is somebody else's
  std::size_t room_bytes_ = 0;    // padding left out
  const char* buffer_ = nullptr;  // what has been read and not given: [begin_, end_), then padding
  std::uint64_t bytes_read_ = 0;  // decompressed
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t line_ = 0;
  bool at_end_ = false;
};

// The lines that say something: those that are blank are skipped and counted.
Result<std::optional<std::string_view>> next_content_line(LineReader& lines, Repairs& repairs);

}  // namespace packscope::native
