// SPDX-License-Identifier: MIT
// next_fit: one window is open; a document that does not fit closes it and opens the next.
// O(documents). At most twice the optimum. Johnson 1973, Near-optimal bin packing algorithms.
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

  std::size_t place_block(const DocumentSet& documents, std::size_t first, std::size_t last) {
    const WindowRules& rules = run_.rules;
    const std::uint32_t longest = rules.longest_whole_document();
    const std::uint32_t added = rules.added();
    const std::uint32_t capacity = rules.capacity;
    const std::uint32_t min_room = run_.options.min_room;
    const std::uint32_t* const lengths = documents.lengths.data();
    TailWriter out(run_.out, last - first, 2 * (last - first));
    std::uint32_t room = room_;
    for (; first < last && lengths[first] - 1 < longest; ++first) {
      const std::uint32_t length = lengths[first] + added;
      const bool fits = length <= room;
      out.close_if(!fits);
      room = (fits ? room : capacity) - length;
      out.push({documents.first_document + static_cast<std::uint32_t>(first), 0, length});
      const bool full = room < min_room;
      out.close_if(full);
      room = full ? capacity : room;
    }
    room_ = room;
    return first;
  }

  void flush() {
    if (!open_.empty()) close();
  }

 private:
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
