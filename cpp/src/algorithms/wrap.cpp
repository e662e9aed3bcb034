// SPDX-License-Identifier: MIT
// wrap: the documents of a group form one first-in first-out stream of tokens that is cut every
// context_length tokens. The last window of a flush may be short: padded, or dropped with tail=drop.
// O(documents + windows). The fewest windows possible.
// Source: concatenate-and-chop, as in GPT-2 and GPT-3 pre-training (Brown et al. 2020, appendix B).
#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "algorithms/streaming.hpp"
#include "kernels/stream_cuts.hpp"

namespace packscope {
namespace {

static_assert(kSegmentsPerStreamStep <= kBehindTail);

// What is known about them stays in the nearest cache.
constexpr std::size_t kDocumentsPerPass = 512;

// After too many long ones.
constexpr std::size_t kDocumentsUntilNextTry = 16'384;

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

  // Not inlined, nor is what it calls seldom: the loop in it needs every register.
  [[gnu::noinline]] std::size_t place_run(const DocumentSet& documents, std::size_t first, std::size_t last,
                                          TailBlock& block) {
    const bool splits = run_.rules.long_documents == LongDocuments::split;
    if (splits && cuts_first(last - first)) first = write_by_cuts(documents, first, last, block);
    const std::size_t begin = first;
    const std::uint64_t end_before = block.writer().end();
    UnusualOnes unusual;
    if (splits) {
      one_by_one_ -= std::min(one_by_one_, last - first);
      while ((first = write_run<true>(documents, first, last, block.writer())) < last) {
        write_unusual(documents, first++, block, unusual);
      }
    } else {
      first = write_run<false>(documents, first, last, block.writer());
    }
    count(first - begin, block.writer().end() - end_before, unusual);
    return first;
  }

  void append(const WholeDocument& document, TailWriter& tail) {
    if (document.segment.length > room_) ++run_.ledger[document.source].split_documents;
    room_ = tail.push_pieces(document.segment, room_, run_.rules.window);
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
  // Whether to look for the cuts of so many documents before any is written.
  [[nodiscard]] bool cuts_first(std::size_t documents) const {
    return has_fast_stream_cuts() && one_by_one_ == 0 && documents >= 2 * kStreamStep &&
           run_.rules.window <= INT32_MAX;
  }

  // Returns where it stops: at many documents that are cut more than once. To have them one by one is faster.
  [[gnu::noinline]] std::size_t write_by_cuts(const DocumentSet& documents, std::size_t first,
                                              std::size_t last, TailBlock& block) {
    while (first < last) {
      const std::size_t end = std::min(last, first + kDocumentsPerPass);
      if (!write_in_passes(documents, first, end, block)) {
        one_by_one_ = kDocumentsUntilNextTry;
        return first;
      }
      first = end;
    }
    return last;
  }

  // Finds all cuts and then writes all segments, so that none waits for the document before. False, and
  // nothing is written, if that does not pay.
  bool write_in_passes(const DocumentSet& documents, std::size_t first, std::size_t last, TailBlock& block) {
    const StreamRules rules{run_.rules.window, run_.rules.longest_whole_document(), run_.rules.added()};
    const std::span<const std::uint32_t> lengths = documents.lengths.subspan(first, last - first);
    std::array<std::uint32_t, kDocumentsPerPass + kStreamStep> rooms, unusual;
    const StreamCuts cuts = find_stream_cuts(lengths, rules, room_, rooms.data(), unusual.data());
    if (cuts.unusual_count > kStreamStep + lengths.size() / kStreamStep) return false;
    const StreamBlock stream{lengths, std::span(unusual).first(cuts.unusual_count), rooms.data(),
                             documents.first_document + static_cast<std::uint32_t>(first), rules};
    const UnusualOnes counts = count_unusual(stream);
    block.make_room(static_cast<std::size_t>(counts.full_pieces));
    TailWriter& tail = block.writer();
    const TailWriter end = write_stream(stream, tail);
    count(lengths.size(), end.end() - tail.end(), counts);
    tail = end;
    room_ = cuts.room;
    return true;
  }

  // Of documents that are empty or are cut more than once.
  struct UnusualOnes {
    std::uint64_t empty = 0;
    std::uint64_t full_pieces = 0;  // segments beyond two of each document
  };

  static UnusualOnes count_unusual(const StreamBlock& stream) {
    UnusualOnes counts;
    for (const std::uint32_t index : stream.unusual) {
      const std::uint32_t n = stream.lengths[index];
      if (n == 0) {
        ++counts.empty;
      } else {
        counts.full_pieces += (n + stream.rules.added - stream.rooms[index] - 1) / stream.rules.window;
      }
    }
    return counts;
  }

  // As take_in() does.
  void count(std::uint64_t documents, std::uint64_t segments, const UnusualOnes& unusual) {
    const std::uint64_t placed = documents - unusual.empty;
    Ledger& ledger = run_.ledger.front();
    ledger.empty_documents += unusual.empty;
    ledger.split_documents += segments - unusual.full_pieces - placed;
    ledger.separators_added += placed * run_.rules.added();
  }

  // Documents until one is not whole or, where they may be cut, is cut more than once: what is left of this
  // window and the next hold the others. No branch depends on where they end: a wrong guess costs more than
  // all else.
  template <bool kSplits>
  std::size_t write_run(const DocumentSet& documents, std::size_t first, std::size_t last, TailWriter& tail) {
    const std::uint32_t longest = run_.rules.longest_whole_document();
    const std::uint32_t added = run_.rules.added();
    const std::uint32_t window = run_.rules.window;
    const std::uint32_t* const lengths = documents.lengths.data();
    const std::uint32_t* next = lengths + first;
    std::uint32_t document = documents.first_document + static_cast<std::uint32_t>(first);
    const std::uint32_t end = documents.first_document + static_cast<std::uint32_t>(last);
    TailWriter out = tail;
    std::uint32_t room = room_;
    for (; document != end; ++next, ++document) {
      const std::uint32_t n = *next;
      const std::uint32_t most = kSplits ? room + longest - 1 : longest;
      if (n - 1 >= most) break;  // an empty one, too
      const std::uint32_t length = n + added;
      const std::uint32_t room_here = room;
      const auto left = static_cast<std::int32_t>(room - length);
      room = static_cast<std::uint32_t>(left) + (left <= 0 ? window : 0);
      out.push({document, 0, std::min(length, room_here)});
      out.close(sign_bit(left - 1));
      out.push({document, room_here, length - room_here}, sign_bit(left));
    }
    room_ = room;
    tail = out;
    return static_cast<std::size_t>(next - lengths);
  }

  [[gnu::noinline]] void write_unusual(const DocumentSet& documents, std::size_t index, TailBlock& block,
                                       UnusualOnes& counts) {
    const std::uint32_t n = documents.lengths[index];
    if (n == 0) {
      ++counts.empty;
      return;
    }
    const std::uint32_t document = documents.first_document + static_cast<std::uint32_t>(index);
    const Segment whole{document, 0, n + run_.rules.added()};
    block.make_room(whole.length / run_.rules.window);
    TailWriter& tail = block.writer();
    const std::uint64_t end_before = tail.end();
    room_ = tail.push_pieces(whole, room_, run_.rules.window);
    counts.full_pieces += tail.end() - end_before - 2;
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
  std::size_t one_by_one_ = 0;  // documents before cuts are looked for again
  WholeDocument document_{};    // being written
  std::uint32_t next_offset_ = 0;
  bool separator_pending_ = false;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_wrap(Run& run) { return make_with_one_window<Wrap>(run); }

}  // namespace packscope
