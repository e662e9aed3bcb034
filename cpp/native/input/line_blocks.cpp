// SPDX-License-Identifier: MIT
#include "input/line_blocks.hpp"

#include <algorithm>
#include <cstring>

#include "in_order.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;

struct BlockPiece {
  LineBlock block;
  CorpusData corpus;
  Result<bool> read = false;
  std::uint64_t bytes_done = 0;
};

}  // namespace

Result<bool> LineBlockReader::next(LineBlock& block) {
  block.bytes.assign(rest_.begin(), rest_.end());
  block.lines_before = lines_;
  rest_.clear();
  std::size_t size = block.bytes.size();
  std::size_t end = 0;  // behind the last line feed
  while (!at_end_ && (end == 0 || size < kBlockBytes)) {
    block.bytes.resize(std::max(kBlockBytes, size * 2));  // a line may be longer than a block
    const Result<std::size_t> got = source_.read(std::span(block.bytes).subspan(size));
    if (!got) return got.error();
    at_end_ = *got == 0;
    const std::string_view more(block.bytes.data() + size, *got);
    lines_ += static_cast<std::uint64_t>(std::count(more.begin(), more.end(), '\n'));
    if (const std::size_t feed = more.rfind('\n'); feed != std::string_view::npos) end = size + feed + 1;
    size += *got;
  }
  block.size = at_end_ ? size : end;
  rest_.assign(block.bytes.begin() + static_cast<std::ptrdiff_t>(block.size),
               block.bytes.begin() + static_cast<std::ptrdiff_t>(size));
  block.bytes.resize(block.size + LineReader::kPaddingBytes);
  const double total = static_cast<double>(source_.bytes_total());
  block.share = total > 0 ? static_cast<double>(source_.bytes_done()) / total : 0;
  return block.size > 0;
}

Status read_line_blocks(ByteSource source, unsigned threads, const ReadProgress& progress,
                        const ReadBlock& read, const TakeBlock& take) {
  const std::string name = source.name();
  const std::uint64_t bytes_total = source.bytes_total();
  const bool compressed = source.is_compressed();
  LineBlockReader blocks(std::move(source));
  const auto make = [&](BlockPiece& piece) -> Result<bool> {
    Result<bool> any = blocks.next(piece.block);
    piece.bytes_done = blocks.source().bytes_done();
    return any;
  };
  const auto work = [&](BlockPiece& piece) -> Status {
    piece.corpus.clear();
    LineReader lines(piece.block, name, piece.corpus.repairs);
    piece.read = read(lines, piece.corpus);
    return {};
  };
  const auto take_piece = [&](BlockPiece& piece) {
    Status taken = take(piece.block, piece.corpus, piece.read);
    if (taken && progress) progress(piece.bytes_done, bytes_total);
    return taken;
  };
  const bool one_block = bytes_total > 0 && bytes_total < kBlockBytes && !compressed;
  return in_order<BlockPiece>(one_block ? 1 : threads, make, work, take_piece);
}

}  // namespace packscope::native
