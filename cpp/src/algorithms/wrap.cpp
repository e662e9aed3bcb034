// SPDX-License-Identifier: MIT
// wrap: the documents of a group form one first-in first-out stream of tokens that is cut every
// context_length tokens. The last window of a flush may be short: padded, or dropped with tail=drop.
// O(documents + windows). The fewest windows possible.
// Source: concatenate-and-chop, as in GPT-2 and GPT-3 pre-training (Brown et al. 2020, appendix B).
#include <algorithm>
#include <type_traits>
#include <utility>

#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

template <class Segments>
class Wrap {
 public:
  static constexpr bool kCutsDocuments = true;
  static constexpr bool kPlacesBlocks = std::is_same_v<Segments, TailSegments>;

  explicit Wrap(Run& run) : run_(run), open_(run), room_(run.rules.capacity) {}

  // Not inlined: place_block does nearly all of the work.
  [[gnu::noinline]] void place(const WholeDocument& document) {
    if (separator_pending_) write_separator();
    document_ = document;
    next_offset_ = document.segment.document_offset;
    write(document.segment.length);
    separator_pending_ = run_.rules.between;
    if (!separator_pending_) end_document();
  }

  [[nodiscard]] bool places_blocks() const {
    const Options& options = run_.options;
    return !run_.rules.between && options.document_multiple == 1 && options.tail == Tail::pad &&
           options.max_documents_per_window == kUnlimited;
  }

  std::size_t place_run(const DocumentSet& documents, std::size_t first, std::size_t last, TailWriter& tail) {
    const bool splits = run_.rules.long_documents == LongDocuments::split;
    return splits ? write_run<true>(documents, first, last, tail)
                  : write_run<false>(documents, first, last, tail);
  }

  void append(const WholeDocument& document, TailWriter& tail) {
    Segment rest = document.segment;
    if (rest.length > room_) ++run_.ledger[document.source].split_documents;
    while (rest.length >= room_) {
      tail.push({rest.document, rest.document_offset, room_});
      tail.close();
      rest.document_offset += room_;
      rest.length -= room_;
      room_ = run_.rules.window;
    }
    tail.push(rest, rest.length > 0 ? 1 : 0);
    room_ -= rest.length;
  }

  void flush() {
    if (std::exchange(separator_pending_, false)) end_document();  // no document follows
    if (open_.size() == 0) return;
    if (run_.options.tail == Tail::pad) return close();
    count_dropped_tail();
    open_.discard(run_);
    reopen();
  }

 private:
  // Documents that end in this window or the next, so that they are cut once at most. No branch depends on
  // where: a wrong guess costs more than all else.
  template <bool kSplits>
  std::size_t write_run(const DocumentSet& documents, std::size_t first, std::size_t last, TailWriter& tail) {
    const std::uint32_t longest = run_.rules.longest_whole_document();
    const std::uint32_t added = run_.rules.added();
    const std::uint32_t window = run_.rules.window;
    const std::uint32_t first_document = documents.first_document;
    const std::uint32_t* const lengths = documents.lengths.data();
    const std::size_t begin = first;
    TailWriter out = tail;
    std::uint32_t room = room_;
    for (; first < last; ++first) {
      const std::uint32_t n = lengths[first];
      const std::uint32_t most = kSplits ? room + longest - 1 : longest;
      if (n - 1 >= most) break;  // an empty one, too
      const std::uint32_t document = first_document + static_cast<std::uint32_t>(first);
      const std::uint32_t length = n + added;
      const auto left = static_cast<std::int32_t>(room - length);
      const std::uint32_t left_in_next = room + window - length;
      out.push({document, 0, std::min(length, room)});
      out.close(sign_bit(left - 1));
      out.push({document, room, length - room}, sign_bit(left));
      room = left <= 0 ? left_in_next : static_cast<std::uint32_t>(left);
    }
    room_ = room;
    Ledger& ledger = run_.ledger.front();
    ledger.split_documents += out.end() - tail.end() - (first - begin);
    ledger.separators_added += (first - begin) * added;
    tail = out;
    return first;
  }

  // separator=between: the next token of the document it ends, written once another document follows.
  void write_separator() {
    ++run_.ledger[document_.source].separators_added;
    if (open_.size() == 0) {
      append(1);
    } else {
      open_.separate(run_);
      --room_;
    }
    if (room_ == 0) close();
    end_document();
  }

  // Appends the next `length` tokens of the document to the stream.
  void write(std::uint32_t length) {
    while (length > room_) {
      length -= room_;
      append(room_);
      close();
    }
    append(length);
    if (room_ == 0) close();
  }

  void append(std::uint32_t length) {
    if (is_second_segment(next_offset_, document_)) ++run_.ledger[document_.source].split_documents;
    open_.push(run_, {document_.segment.document, next_offset_, length});
    if (run_.options.tail == Tail::drop) documents_.push_back(document_);
    next_offset_ += length;
    room_ -= run_.rules.positions(length);
  }

  // Segments after a document's first begin their windows, and all but its last one fill them.
  [[nodiscard]] bool is_second_segment(std::uint32_t document_offset, const WholeDocument& document) const {
    const std::uint32_t before = document_offset - document.segment.document_offset;
    return before > 0 && before <= run_.rules.window;
  }

  void end_document() {
    if (open_.size() >= run_.options.max_documents_per_window) close();
  }

  void close() {
    open_.emit(run_);
    reopen();
  }

  void reopen() {
    documents_.clear();
    room_ = run_.rules.capacity;
  }

  // Every document of the tail ends there; all but the first begin there too.
  void count_dropped_tail() {
    const Segment* const open = open_.data();
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const std::uint32_t before = open[i].document_offset - documents_[i].segment.document_offset;
      const bool has_separator = run_.rules.separator == 1 && (!run_.rules.between || i + 1 < open_.size());
      const std::uint32_t added = (has_separator ? 1 : 0) + (before == 0 ? run_.rules.bos : 0);
      const bool nothing_stands = before <= run_.rules.bos;
      count_dropped_segment(documents_[i], open[i].length - added, added, nothing_stands);
    }
    if (is_second_segment(open[0].document_offset, documents_[0])) {
      --run_.ledger[documents_[0].source].split_documents;
    }
  }

  void count_dropped_segment(const WholeDocument& document, std::uint32_t tokens, std::uint32_t added,
                             bool nothing_stands) {
    Ledger& row = run_.ledger[document.source];
    row.separators_added -= added;
    row.tokens_dropped += tokens;
    if (nothing_stands) {
      ++row.dropped_documents;
      if (document.truncated) --row.truncated_documents;
    } else if (tokens > 0 && !document.truncated) {
      ++row.truncated_documents;
    }
  }

  Run& run_;
  Segments open_;
  std::vector<WholeDocument> documents_;  // of the open segments, for tail=drop
  std::uint32_t room_;
  WholeDocument document_{};  // being written
  std::uint32_t next_offset_ = 0;
  bool separator_pending_ = false;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_wrap(Run& run) { return make_with_one_window<Wrap>(run); }

}  // namespace packscope
