// SPDX-License-Identifier: MIT
// A file of lines read by several threads: cut into blocks of whole lines, each read into a corpus of its
// own, and these joined in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "files/mapped_window.hpp"
#include "input/byte_source.hpp"
#include "input/corpus_data.hpp"
#include "input/line_reader.hpp"
#include "packscope/buffer.hpp"

namespace packscope::native {

// Whole lines of a file, with room behind them as LineReader wants.
struct LineBlock {
  std::string_view lines;          // in the window or in the bytes
  std::uint64_t lines_before = 0;  // 0 where that is not known yet
  double share = 0;                // of the file, up to the end of the block
  bool is_first = false;
  bool is_mapped = false;

  MappedWindow window;
  Buffer<char> bytes;
};

class LineBlockReader {
 public:
  // Maps the file if `source` does.
  explicit LineBlockReader(ByteSource source) : source_(std::move(source)), maps_(source_.maps()) {}

  // The next block; false after the last.
  Result<bool> next(LineBlock& block);

  // Blocks are copied from now on.
  void stop_mapping() { stops_mapping_ = true; }

  [[nodiscard]] const ByteSource& source() const { return source_; }

 private:
  Result<bool> map_block(LineBlock& block);
  Status read_block(LineBlock& block);

  ByteSource source_;
  bool maps_;
  std::atomic<bool> stops_mapping_ = false;  // by any thread
  std::uint64_t position_ = 0;               // in a file that is mapped
  std::vector<char> rest_;                   // of the line that the last block ended in, of one that is read
  bool at_start_ = true;
  bool at_end_ = false;
};

// `read` fills an empty corpus with the documents of a block, on any thread, and does not know how many lines
// come before; false where the block must be read after all that do. `take` gets the blocks in order, each
// with its corpus and what reading came to. Where that is an error, reading the block again names the line.
using ReadBlock = std::function<Result<bool>(LineReader& lines, CorpusData& corpus)>;
using TakeBlock =
    std::function<Status(const LineBlock& block, const CorpusData& corpus, const Result<bool>& read)>;
Status read_line_blocks(ByteSource source, unsigned threads, const ReadProgress& progress,
                        const ReadBlock& read, const TakeBlock& take);

}  // namespace packscope::native
