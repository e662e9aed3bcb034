// SPDX-License-Identifier: MIT
// next_fit: one window is open; a document that does not fit closes it and opens the next.
// O(documents). At most twice the optimum. Johnson 1973, Near-optimal bin packing algorithms.
#include <algorithm>
#include <type_traits>

#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

template <class Segments>
class NextFit {
 public:
  static constexpr bool kCutsDocuments = false;
  static constexpr bool kPlacesBlocks = std::is_same_v<Segments, TailSegments>;

  explicit NextFit(Run& run) : run_(run), open_(run), room_(run.rules.capacity) {}

  // Not inlined: place_block does nearly all of the work.
  [[gnu::noinline]] void place(const Piece& piece) {
    if (piece.positions > room_) close();
    open_.append(run_, piece.segment, piece.source);
    room_ -= piece.positions;
    if (closes(run_, room_, open_.size())) close();
  }

  [[nodiscard]] bool places_blocks() const {
    const Options& options = run_.options;
    return !run_.rules.between && options.document_multiple == 1 &&
           options.max_documents_per_window == kUnlimited;
  }

  // Documents until one is to be planned that is long. What else happens to a long or empty one happens out
  // of the loop, which is not inlined either: it needs every register.
  [[gnu::noinline]] std::size_t place_run(const DocumentSet& documents, std::size_t first, std::size_t last,
                                          TailBlock& block) {
    while ((first = write_run(documents, first, last, block.writer())) < last) {
      const std::uint32_t n = documents.lengths[first];
      if (n > 0 && run_.rules.long_documents != LongDocuments::drop) break;
      count_dropped(n);
      ++first;
    }
    return first;
  }

  void append(const Piece& piece, TailWriter& tail) {
    const bool fits = piece.positions <= room_;
    tail.close(fits ? 0 : 1);
    tail.push(piece.segment);
    room_ = (fits ? room_ : run_.rules.capacity) - piece.positions;
    const bool full = room_ < run_.options.min_room;
    tail.close(full ? 1 : 0);
    if (full) room_ = run_.rules.capacity;
  }

  void flush() {
    if (!open_.empty()) close();
  }

 private:
  // As take_in() counts, at a fraction of the time.
  [[gnu::noinline]] void count_dropped(std::uint32_t n) {
    Ledger& ledger = run_.ledger.front();
    ledger.empty_documents += n == 0 ? 1 : 0;
    ledger.dropped_documents += n == 0 ? 0 : 1;
    ledger.tokens_dropped += n;
  }

  // No branch depends on where a window ends: a wrong guess costs more than all else.
  std::size_t write_run(const DocumentSet& documents, std::size_t first, std::size_t last, TailWriter& tail) {
    const std::uint32_t longest = run_.rules.longest_whole_document();
    const std::uint32_t added = run_.rules.added();
    const std::uint32_t capacity = run_.rules.capacity;
    const std::uint32_t min_room = run_.options.min_room;
    const std::uint32_t* next = documents.lengths.data() + first;
    const std::uint32_t begin = documents.first_document + static_cast<std::uint32_t>(first);
    const std::uint32_t end = documents.first_document + static_cast<std::uint32_t>(last);
    std::uint32_t document = begin;
    TailWriter out = tail;
    std::uint32_t room = room_;
    for (; document != end; ++document, ++next) {
      const std::uint32_t n = *next;
      if (n - 1 >= longest) break;  // an empty one, too
      const std::uint32_t length = n + added;
      // A window with less than min_room closes when the next document comes: one step less to wait for.
      const auto left = static_cast<std::int32_t>(room - std::max(length, min_room));
      const std::uint32_t left_here = room - length;
      const std::uint32_t left_in_next = capacity - length;
      room = left < 0 ? left_in_next : left_here;
      out.close(sign_bit(left));
      out.push({document, 0, length});
    }
    const bool full = room < min_room;
    out.close(full ? 1 : 0);
    room_ = full ? capacity : room;
    run_.ledger.front().separators_added += (out.end() - tail.end()) * added;
    tail = out;
    return first + (document - begin);
  }

  void close() {
    open_.emit(run_);
    room_ = run_.rules.capacity;
  }

  Run& run_;
  OpenWindow<Segments> open_;
  std::uint32_t room_;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_next_fit(Run& run) { return make_with_one_window<NextFit>(run); }

}  // namespace packscope
