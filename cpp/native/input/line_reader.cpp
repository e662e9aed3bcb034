// SPDX-License-Identifier: MIT
#include "input/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "input/line_blocks.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kChunkBytes = 1 << 18;   // fits the cache of one core
constexpr std::size_t kWindowBytes = 2 << 20;  // more is no faster
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr std::string_view kUtf16LittleMark = "\xff\xfe";
constexpr std::string_view kUtf16BigMark = "\xfe\xff";

}  // namespace

static_assert(MappedWindow::kPaddingBytes >= LineReader::kPaddingBytes);

LineReader::LineReader(ByteSource source, Repairs& repairs, ReadProgress progress)
    : source_(std::move(source)),
      name_(source_->name()),
      repairs_(repairs),
      progress_(std::move(progress)),
      maps_(source_->maps()),
      room_(std::make_unique_for_overwrite<char[]>(kChunkBytes + kPaddingBytes)),
      room_bytes_(kChunkBytes),
      buffer_(room_.get()) {}

LineReader::LineReader(const LineBlock& block, std::string name, Repairs& repairs)
    : name_(std::move(name)),
      repairs_(repairs),
      starts_file_(block.is_first),
      maps_(block.is_mapped),
      buffer_(block.lines.data()),
      end_(block.lines.size()),
      line_(block.lines_before),
      at_end_(true) {}

Status LineReader::fill() {
  if (maps_) {
    if (Status mapped = map_more(); !mapped) return mapped;
  }
  if (!maps_) {
    if (Status read = read_more(); !read) return read;
  }
  if (progress_) progress_(source_->bytes_done(), source_->bytes_total());
  return {};
}

// What is left and more behind it; more than twice as much where one line fills the window.
Status LineReader::map_more() {
  if (stops_mapping_) return return_to_reading();
  const std::size_t left = end_ - begin_;
  const std::uint64_t from = bytes_read_ - left;
  const auto shown = source_->map(window_, from, std::max(kWindowBytes, left * 2));
  if (!shown) return shown.error();
  if (!*shown) return return_to_reading();
  buffer_ = (*shown)->data();
  begin_ = 0;
  end_ = (*shown)->size();
  at_end_ = end_ == left;
  bytes_read_ = from + end_;
  return {};
}

// What is left in the window is read once more.
Status LineReader::return_to_reading() {
  maps_ = false;
  window_ = {};
  bytes_read_ -= end_ - begin_;
  begin_ = end_ = 0;
  return source_->read_from(bytes_read_);
}

// Reads more behind what is left, which moves to the front; grows where one line fills the buffer.
Status LineReader::read_more() {
  std::memmove(room_.get(), room_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == room_bytes_) {
    room_bytes_ *= 2;
    auto larger = std::make_unique_for_overwrite<char[]>(room_bytes_ + kPaddingBytes);
    std::memcpy(larger.get(), room_.get(), end_);
    room_ = std::move(larger);
  }
  buffer_ = room_.get();
  Result<std::size_t> got = source_->read({room_.get() + end_, room_bytes_ - end_});
  if (!got) return got.error();
  at_end_ = *got == 0;
  end_ += *got;
  bytes_read_ += *got;
  return {};
}

double LineReader::share() const {
  if (!source_ || source_->bytes_total() == 0 || bytes_read_ == 0) return 0;
  const auto given = static_cast<double>(bytes_read_ - (end_ - begin_));
  const double given_of_read = given / static_cast<double>(bytes_read_);
  return given_of_read * static_cast<double>(source_->bytes_done()) /
         static_cast<double>(source_->bytes_total());
}

Status LineReader::skip_byte_order_mark() {
  while (end_ - begin_ < kUtf8Mark.size() && !at_end_) {
    if (Status filled = fill(); !filled) return filled;
  }
  const std::string_view start(buffer_ + begin_, end_ - begin_);
  if (start.starts_with(kUtf16LittleMark) || start.starts_with(kUtf16BigMark)) {
    return bad_data(name_, ": begins with a UTF-16 byte order mark; convert it to UTF-8 first");
  }
  if (!start.starts_with(kUtf8Mark)) return {};
  begin_ += kUtf8Mark.size();
  ++repairs_.byte_order_marks;
  return {};
}

std::string_view LineReader::take(std::size_t end, std::size_t next_begin) {
  ++line_;
  starts_file_ = false;
  std::string_view line(buffer_ + begin_, end - begin_);
  begin_ = next_begin;
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
    ++repairs_.crlf_line_ends;
  }
  return line;
}

Result<std::optional<std::string_view>> LineReader::next() {
  if (starts_file_) {
    if (Status skipped = skip_byte_order_mark(); !skipped) return skipped.error();
  }
  std::size_t searched = 0;  // bytes after begin_ known to hold no line feed
  while (true) {
    const char* from = buffer_ + begin_ + searched;
    if (const void* found = std::memchr(from, '\n', end_ - begin_ - searched)) {
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_);
      return std::optional(take(end, end + 1));
    }
    searched = end_ - begin_;
    if (at_end_) break;
    if (Status filled = fill(); !filled) return filled.error();
    searched = std::min(searched, end_ - begin_);  // see return_to_reading()
  }
  if (searched == 0) return std::optional<std::string_view>();
  return std::optional(take(end_, end_));
}

Result<std::optional<std::string_view>> next_content_line(LineReader& lines, Repairs& repairs) {
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line || !*line) return line;
    if ((*line)->find_first_not_of(" \t\r") != std::string_view::npos) return line;
    ++repairs.blank_lines;
  }
}

}  // namespace packscope::native
