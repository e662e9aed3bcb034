// SPDX-License-Identifier: MIT
#include "stream/stream_run.hpp"

#include <algorithm>
#include <utility>

#include "in_order.hpp"
#include "message.hpp"
#include "packscope/xxh64.hpp"

namespace packscope::native {
namespace {

// doc_ids are int32 from the first window on.
Status check_document_count(std::uint64_t documents) {
  constexpr std::uint64_t kLimit = std::uint64_t{INT32_MAX} + 1;
  if (documents <= kLimit) return {};
  return Error{
      ErrorCode::too_large,
      concat("the input has more than ", kLimit,
             " documents, whose numbers do not fit the int32 of the doc_ids that --stream has written; "
             "pack it in parts (--limit-documents), or without --stream")};
}

}  // namespace

Result<std::unique_ptr<StreamRun>> StreamRun::create(StreamOptions options, StreamOutput& output) {
  Result<Packer> packer = Packer::create(options.options);
  if (!packer) return packer.error();
  Result<Spool> offsets = Spool::create(options.spool_folder);
  if (!offsets) return offsets.error();
  Result<Spool> segments = Spool::create(options.spool_folder);
  if (!segments) return segments.error();
  return std::unique_ptr<StreamRun>(new StreamRun(std::move(options), *std::move(packer), *std::move(offsets),
                                                  *std::move(segments), output));
}

StreamRun::StreamRun(StreamOptions asked, Packer packer, Spool offsets, Spool segments, StreamOutput& output)
    : asked_(std::move(asked)),
      packer_(std::move(packer)),
      stats_(asked_.options),
      held_(asked_.options),
      offsets_(std::move(offsets)),
      segments_(std::move(segments)),
      output_(output) {}

Status StreamRun::take(const CorpusData& read) {
  if (Status added = add_sources(read.source_names); !added) return added;
  if (Status fit = check_document_count(documents_ + read.held_documents()); !fit) return fit;
  lengths_.clear();
  for (std::size_t i = 0; i < read.held_documents(); ++i)
    lengths_.push_back(static_cast<std::uint32_t>(read.document_offsets[i + 1] - read.document_offsets[i]));
  held_.add(read, static_cast<std::uint32_t>(documents_));
  if (Status pushed = packer_.push(lengths_, read.sources); !pushed) return pushed;
  documents_ += read.held_documents();
  if (Status written = write_closed(); !written) return written;
  const std::uint64_t flush_every = asked_.options.flush_every.value_or(UINT64_MAX);
  held_.compact(static_cast<std::uint32_t>(documents_ / flush_every * flush_every));
  return {};
}

Status StreamRun::add_sources(const std::vector<std::string>& names) {
  for (; sources_ < names.size(); ++sources_) {
    if (Status added = packer_.add_source(names[sources_]); !added) return added;
  }
  return {};
}

// Piece by piece, whose arrays several threads make.
Status StreamRun::write_closed() {
  const WindowList closed = packer_.take_closed();
  count(closed);
  if (Status spooled = spool_plan(closed); !spooled) return spooled;
  const std::uint64_t windows = closed.window_count();
  std::uint64_t next = 0;
  const auto make = [&](ClosedWindows& piece) -> Result<bool> {
    if (next == windows) return false;
    piece.first_window = windows_ + next;
    const std::uint64_t last = next + std::min(output_.windows_together(piece.first_window), windows - next);
    piece.plan.options = asked_.options;
    copy_windows(closed, {next, last}, piece.plan);
    held_.move_to(piece.tokens, piece.plan);
    next = last;
    return true;
  };
  const auto work = [&](ClosedWindows& piece) { return output_.make(piece); };
  const auto take = [&](ClosedWindows& piece) { return output_.take(piece); };
  Status written = in_order<ClosedWindows>(asked_.threads, make, work, take);
  windows_ += windows;
  return written;
}

void StreamRun::count(const WindowList& closed) {
  const bool shares = asked_.options.homogeneity == Homogeneity::none;
  for (std::uint64_t w = 0; w < closed.window_count(); ++w) {
    const std::span<const Segment> window = closed.window(w);
    const bool has_group = !shares && !window.empty();
    stats_.add(window, has_group ? packer_.group_of(held_.source(window.front().document)) : 0);
  }
}

Status StreamRun::spool_plan(const WindowList& closed) {
  const std::uint64_t before = segments_.size() / sizeof(Segment);
  std::vector<std::uint64_t> ends;
  for (std::size_t i = 1; i < closed.window_offsets.size(); ++i)
    ends.push_back(before + closed.window_offsets[i]);
  if (Status spooled = offsets_.append(std::as_bytes(std::span(ends))); !spooled) return spooled;
  return segments_.append(std::as_bytes(std::span(closed.segments)));
}

Result<StreamResult> StreamRun::finish(const CorpusData& corpus) {
  packer_.finish();
  if (Status written = write_closed(); !written) return written.error();
  if (windows_ == 0) {
    // An output without windows has its arrays too.
    ClosedWindows none;
    none.plan.options = asked_.options;
    none.tokens.known = corpus.tokens_known;
    none.tokens.document_offsets = {0};
    if (Status made = output_.make(none); !made) return made.error();
    if (Status taken = output_.take(none); !taken) return taken.error();
  }
  StreamResult result;
  result.plan = packer_.take_plan();
  result.stats = stats_.finish();
  Result<std::uint64_t> fingerprint = fingerprint_of_all();
  if (!fingerprint) return fingerprint.error();
  result.fingerprint = *fingerprint;
  return result;
}

// As packscope::fingerprint() has it.
Result<std::uint64_t> StreamRun::fingerprint_of_all() const {
  Xxh64 hash;
  hash.update_u32(asked_.options.context_length);
  constexpr std::uint64_t kFirstOffset = 0;
  hash.update(std::as_bytes(std::span(&kFirstOffset, 1)));
  for (const Spool* spool : {&offsets_, &segments_}) {
    Status read = spool->visit([&](std::span<const std::byte> piece) { hash.update(piece); });
    if (!read) return read.error();
  }
  return hash.digest();
}

}  // namespace packscope::native
