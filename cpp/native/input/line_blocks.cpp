// SPDX-License-Identifier: MIT
#include "input/line_blocks.hpp"

#include <algorithm>
#include <utility>

#include "in_order.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;

struct BlockPiece {
  LineBlock block;
  CorpusData corpus;
  Result<bool> read = false;
  std::uint64_t line_count = 0;
  std::uint64_t bytes_done = 0;
};

}  // namespace

Result<bool> LineBlockReader::next(LineBlock& block) {
  block.lines = {};
  block.lines_before = 0;
  block.is_first = std::exchange(at_start_, false);
  Result<bool> mapped = maps_ && !at_end_ ? map_block(block) : Result<bool>(false);
  if (!mapped) return mapped;
  block.is_mapped = *mapped;
  if (!*mapped) {
    if (Status read = read_block(block); !read) return read.error();
  }
  const double total = static_cast<double>(source_.bytes_total());
  block.share = total > 0 ? static_cast<double>(source_.bytes_done()) / total : 0;
  return !block.lines.empty();
}

// False where the rest of the file is to be read.
Result<bool> LineBlockReader::map_block(LineBlock& block) {
  for (std::size_t most_bytes = kBlockBytes; !stops_mapping_; most_bytes *= 2) {
    const auto shown = source_.map(block.window, position_, most_bytes);
    if (!shown) return shown.error();
    if (!*shown) break;
    at_end_ = (*shown)->size() < most_bytes;
    block.lines = (*shown)->substr(0, at_end_ ? most_bytes : (*shown)->rfind('\n') + 1);
    position_ += block.lines.size();
    if (at_end_ || !block.lines.empty()) return true;  // or the line is longer
  }
  maps_ = false;
  if (Status read = source_.read_from(position_); !read) return read.error();
  return false;
}

Status LineBlockReader::read_block(LineBlock& block) {
  std::size_t size = rest_.size();
  std::size_t end = 0;  // behind the last line feed
  block.bytes.assign(rest_.begin(), rest_.end());
  while (!at_end_ && (end == 0 || size < kBlockBytes)) {
    block.bytes.resize(std::max(kBlockBytes, size * 2));  // a line may be longer than a block
    const Result<std::size_t> got = source_.read(std::span(block.bytes).subspan(size));
    if (!got) return got.error();
    at_end_ = *got == 0;
    const std::string_view more(block.bytes.data() + size, *got);
    if (const std::size_t feed = more.rfind('\n'); feed != std::string_view::npos) end = size + feed + 1;
    size += *got;
  }
  if (at_end_) end = size;
  rest_.assign(block.bytes.begin() + static_cast<std::ptrdiff_t>(end),
               block.bytes.begin() + static_cast<std::ptrdiff_t>(size));
  block.bytes.resize(end + LineReader::kPaddingBytes);
  block.lines = std::string_view(block.bytes.data(), end);
  return {};
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
    if (lines.stops_mapping()) blocks.stop_mapping();
    const bool is_read = piece.read && *piece.read;
    const std::string_view bytes = piece.block.lines;
    piece.line_count = is_read ? lines.place().line
                               : static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    return {};
  };
  std::uint64_t lines_before = 0;
  const auto take_piece = [&](BlockPiece& piece) {
    piece.block.lines_before = lines_before;
    lines_before += piece.line_count;
    Status taken = take(piece.block, piece.corpus, piece.read);
    if (taken && progress) progress(piece.bytes_done, bytes_total);
    return taken;
  };
  const bool one_block = bytes_total > 0 && bytes_total < kBlockBytes && !compressed;
  return in_order<BlockPiece>(one_block ? 1 : threads, make, work, take_piece);
}

}  // namespace packscope::native
