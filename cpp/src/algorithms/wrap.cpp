// SPDX-License-Identifier: MIT
// wrap: the documents of a group form one first-in first-out stream of tokens that is cut every
// context_length tokens. The last window of a flush may be short: padded, or dropped with tail=drop.
// O(documents + windows). The fewest windows possible.
// Source: concatenate-and-chop, as in GPT-2 and GPT-3 pre-training (Brown et al. 2020, appendix B).
#include <algorithm>
#include <utility>

#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

class Wrap {
 public:
  static constexpr bool kCutsDocuments = true;

  explicit Wrap(Run& run) : run_(run), room_(run.rules.capacity) {}

  void place(const Piece& piece) {
    if (separator_pending_) write_separator();
    document_ = piece;
    segments_of_document_ = 0;
    written_of_document_ = 0;
    write(piece.segment.length);
    separator_pending_ = piece.ends_between;
    if (!separator_pending_) end_document();
  }

  void flush() {
    if (std::exchange(separator_pending_, false)) end_document();  // no document follows
    if (open_.empty()) return;
    if (run_.options.tail == Tail::pad) return close();
    count_dropped_tail();
    reopen();
  }

 private:
  // separator=between: the next token of the document it ends, written once another document follows.
  void write_separator() {
    ++run_.ledger[document_.source].separators_added;
    write(1);
    end_document();
  }

  // Appends `length` more tokens of the document to the stream.
  void write(std::uint32_t length) {
    while (length > 0) {
      const std::uint32_t taken = std::min(length, room_);
      append(taken);
      length -= taken;
      if (room_ == 0) close();
    }
  }

  void append(std::uint32_t length) {
    Segment& next = document_.segment;
    if (!open_.empty() && open_.back().segment.document == next.document) {
      open_.back().segment.length += length;  // its separator
    } else {
      if (++segments_of_document_ == 2) ++run_.ledger[document_.source].split_documents;
      if (open_.empty()) {
        first_segment_number_ = segments_of_document_;
        written_before_first_ = written_of_document_;
      }
      open_.push_back(
          {{next.document, next.document_offset, length}, 0, document_.source, false, document_.truncated});
    }
    next.document_offset += length;
    written_of_document_ += length;
    room_ -= run_.rules.positions(length);
  }

  void end_document() {
    if (open_.size() >= run_.options.max_documents_per_window) close();
  }

  void close() {
    emit_window(run_, open_);
    reopen();
  }

  void reopen() {
    open_.clear();
    room_ = run_.rules.capacity;
  }

  // Every document of the tail ends there; all but the first begin there too.
  void count_dropped_tail() {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const bool begins_here = i > 0 || first_segment_number_ == 1;
      const bool has_separator = run_.rules.separator == 1 && (!run_.rules.between || i + 1 < open_.size());
      const std::uint32_t added = (has_separator ? 1 : 0) + (begins_here ? run_.rules.bos : 0);
      const bool nothing_stands = begins_here || written_before_first_ <= run_.rules.bos;
      count_dropped_segment(open_[i], nothing_stands, added);
    }
    if (first_segment_number_ == 2) --run_.ledger[open_.front().source].split_documents;
  }

  void count_dropped_segment(const Piece& piece, bool nothing_stands, std::uint32_t added) {
    Ledger& row = run_.ledger[piece.source];
    const std::uint32_t tokens = piece.segment.length - added;
    row.separators_added -= added;
    row.tokens_dropped += tokens;
    if (nothing_stands) {
      ++row.dropped_documents;
      if (piece.truncated) --row.truncated_documents;
    } else if (tokens > 0 && !piece.truncated) {
      ++row.truncated_documents;
    }
  }

  Run& run_;
  std::vector<Piece> open_;
  std::uint32_t room_;
  Piece document_{};  // being written; its segment starts at the next token
  std::uint64_t segments_of_document_ = 0;
  std::uint64_t written_of_document_ = 0;
  // Of the open window's first segment within its document.
  std::uint64_t first_segment_number_ = 0;
  std::uint64_t written_before_first_ = 0;
  bool separator_pending_ = false;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_wrap(Run& run) { return make_streaming_of<Wrap>(run); }

}  // namespace packscope
