// SPDX-License-Identifier: MIT
// A file of lines read by several threads: cut into blocks of whole lines, each read into a corpus of its
// own, and these joined in order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "input/byte_source.hpp"
#include "input/corpus_data.hpp"
#include "input/line_reader.hpp"

namespace packscope::native {

// Whole lines of a file, with room behind them as LineReader wants.
struct LineBlock {
  std::vector<char> bytes;  // `size` of them, then padding
  std::size_t size = 0;
  std::uint64_t lines_before = 0;
  double share = 0;  // of the file, up to the end of the block
};

class LineBlockReader {
 public:
  explicit LineBlockReader(ByteSource source) : source_(std::move(source)) {}

  // The next block; false after the last.
  Result<bool> next(LineBlock& block);

  [[nodiscard]] const ByteSource& source() const { return source_; }

 private:
  ByteSource source_;
  std::vector<char> rest_;  // of the line that the last block ended in
  std::uint64_t lines_ = 0;
  bool at_end_ = false;
};

// `read` fills an empty corpus with the documents of a block, on any thread; false where the block must be
// read after all that come before it. `take` gets the blocks in order, each with its corpus and what reading
// came to.
using ReadBlock = std::function<Result<bool>(LineReader& lines, CorpusData& corpus)>;
using TakeBlock =
    std::function<Status(const LineBlock& block, const CorpusData& corpus, const Result<bool>& read)>;
Status read_line_blocks(ByteSource source, unsigned threads, const ReadProgress& progress,
                        const ReadBlock& read, const TakeBlock& take);

}  // namespace packscope::native
