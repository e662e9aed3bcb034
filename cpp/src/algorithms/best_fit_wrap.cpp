// SPDX-License-Identifier: MIT
// best_fit_wrap: windows are filled from a pool of candidates with the longest that fits; when none fits,
// the shortest is cut to fill the window, so at most one document is cut in each. Full windows of
// a long document are emitted at once. A candidate that has waited for 8 * candidate_pool
// arrivals goes first, so none waits for ever.
// O(documents * log candidate_pool). No padding but in the last window of a flush.
// Source: Packscope; after the best_fit_wrap operator of training pipelines and best-fit packing (Ding et al.
// 2024).
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

constexpr std::uint64_t kPatience = 8;  // times candidate_pool arrivals

class BestFitWrap {
 public:
  static constexpr bool kCutsDocuments = true;

  explicit BestFitWrap(Run& run) : run_(run) {}

  void place(const Piece& piece) {
    const Piece rest = emit_full_windows(piece);
    if (rest.segment.length == 0) return;
    join(++arrivals_, rest);
    while (by_arrival_.size() >= run_.options.candidate_pool && pool_tokens_ >= run_.rules.window)
      build_window();
  }

  void flush() {
    while (!by_arrival_.empty()) build_window();
  }

 private:
  // Returns what is left of the document, of length 0 if nothing is.
  Piece emit_full_windows(Piece piece) {
    const std::uint32_t window = run_.rules.window;
    if (piece.segment.length > window) count_split(piece);
    while (piece.segment.length >= window) {
      const Piece full = take(piece, window);
      emit_window(run_, {&full, 1});
    }
    return piece;
  }

  void count_split(Piece& piece) {
    if (!piece.split) ++run_.ledger[piece.source].split_documents;
    piece.split = true;
  }

  // Takes the first `length` tokens off `piece`.
  static Piece take(Piece& piece, std::uint32_t length) {
    Piece taken = piece;
    taken.segment.length = length;
    taken.ends_between = piece.ends_between && length == piece.segment.length;
    piece.segment.document_offset += length;
    piece.segment.length -= length;
    return taken;
  }

  void join(std::uint64_t arrival, const Piece& piece) {
    by_arrival_.emplace(arrival, piece);
    by_length_.emplace(piece.segment.length, arrival);
    pool_tokens_ += piece.segment.length;
  }

  Piece leave(std::uint64_t arrival) {
    const auto found = by_arrival_.find(arrival);
    const Piece piece = found->second;
    by_length_.erase({piece.segment.length, arrival});
    by_arrival_.erase(found);
    pool_tokens_ -= piece.segment.length;
    return piece;
  }

  void build_window() {
    std::uint32_t room = run_.rules.window;  // for tokens; a separator between documents takes one more
    while (room > 0 && !by_arrival_.empty() && window_.size() < run_.options.max_documents_per_window) {
      const Piece placed = choose(room);
      const std::uint32_t positions =
          run_.rules.positions(placed.segment.length) + (placed.ends_between ? 1 : 0);
      room -= std::min(room, positions);
      window_.push_back(placed);
    }
    emit_window(run_, window_);
    window_.clear();
  }

  Piece choose(std::uint32_t room) {
    const auto& [oldest, oldest_piece] = *by_arrival_.begin();
    const bool waited_too_long = arrivals_ - oldest > kPatience * run_.options.candidate_pool;
    if (waited_too_long && oldest_piece.segment.length <= room) return leave(oldest);

    auto longer = by_length_.upper_bound({room, UINT64_MAX});
    if (longer != by_length_.begin()) {
      const std::uint32_t longest_fitting = std::prev(longer)->first;
      return leave(by_length_.lower_bound({longest_fitting, 0})->second);
    }
    return cut_shortest(room);
  }

  Piece cut_shortest(std::uint32_t room) {
    const std::uint64_t arrival = by_length_.begin()->second;
    Piece piece = leave(arrival);
    count_split(piece);
    const Piece first = take(piece, room);
    join(arrival, piece);
    return first;
  }

  Run& run_;
  std::map<std::uint64_t, Piece> by_arrival_;
  std::set<std::pair<std::uint32_t, std::uint64_t>> by_length_;  // (length, arrival)
  std::uint64_t pool_tokens_ = 0;
  std::uint64_t arrivals_ = 0;
  std::vector<Piece> window_;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_best_fit_wrap(Run& run) {
  return make_streaming_of<BestFitWrap>(run);
}

}  // namespace packscope
