// SPDX-License-Identifier: MIT
#include "algorithms/decreasing.hpp"

#include <algorithm>
#include <memory>

#include "length_counts.hpp"
#include "pieces.hpp"

namespace packscope {
namespace {

class Decreasing {
 public:
  Decreasing(const DocumentSet& documents, Run& run) : documents_(documents), run_(run), rules_(run.rules) {}

  // First pass over the lengths: counts everything.
  void count() {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const std::uint32_t index = documents_.index(i);
      const std::uint32_t n = documents_.lengths[index];
      Ledger& row = run_.ledger[documents_.source(index)];
      DocumentLayout layout;
      if (!take_in(rules_, row, n, documents_.duplicate(index), layout)) continue;
      const PieceLengths pieces = piece_lengths(rules_, rules_.whole_length(layout.kept()));
      counts_.add(pieces.last);
      if (!rules_.is_long(n)) continue;
      any_long_ = true;
      if (pieces.full == 0) continue;
      counts_.add(rules_.window, pieces.full);
      ++row.split_documents;
    }
  }

  void pack(Fit fit) {
    const std::vector<LengthClass> classes = length_classes(counts_.counts(), rules_);
    const WindowRuns runs = plan_window_runs(classes, fit, rules_.capacity, run_.options.min_room,
                                             run_.options.max_documents_per_window);
    sort_documents(classes);
    hand_out(runs);
  }

 private:
  // Second pass: a stable counting sort of document indices by planned length, longest first.
  void sort_documents(std::span<const LengthClass> classes) {
    std::vector<std::uint64_t> next(counts_.counts().size());
    std::uint64_t total = 0;
    for (const LengthClass& pieces : classes) {
      next[pieces.length] = pieces.first_rank;
      total += pieces.count;
    }
    by_length_.reset(new std::uint32_t[static_cast<std::size_t>(total)]);
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const std::uint32_t index = documents_.index(i);
      const std::uint32_t n = documents_.lengths[index];
      if (n == 0 || documents_.duplicate(index)) continue;
      const std::uint32_t kept = rules_.layout(n).kept();
      if (kept == 0) continue;
      const PieceLengths pieces = piece_lengths(rules_, rules_.whole_length(kept));
      for (std::uint64_t k = 0; k < pieces.full; ++k) by_length_[next[rules_.window]++] = index;
      by_length_[next[pieces.last]++] = index;
    }
    piece_count_ = total;
  }

  // Writes the windows in order; ids of each placement are read in order too.
  void hand_out(const WindowRuns& runs) {
    Buffer<Segment>& segments = run_.out.segments;
    std::vector<std::uint64_t>& offsets = run_.out.window_offsets;
    std::uint64_t end = segments.size();
    segments.resize(static_cast<std::size_t>(end + piece_count_));
    std::vector<Placement> contents;
    for (const WindowRun& same : runs.runs) {
      runs.contents(same, contents);
      for (Placement& placement : contents) {
        placement.first_rank += (same.first - placement.first_window) * placement.per_window;
      }
      for (std::uint64_t w = 0; w < same.count; ++w) {
        for (Placement& placement : contents) {
          for (std::uint32_t k = 0; k < placement.per_window; ++k) {
            segments[static_cast<std::size_t>(end++)] =
                segment(by_length_[placement.first_rank++], placement.length);
          }
        }
        if (rules_.between) {
          add_separators(std::span(segments).subspan(static_cast<std::size_t>(offsets.back()),
                                                     static_cast<std::size_t>(end - offsets.back())));
        }
        offsets.push_back(end);
      }
    }
  }

  Segment segment(std::uint32_t index, std::uint32_t length) {
    return {documents_.first_document + index, any_long_ ? document_offset(index, length) : 0, length};
  }

  // Where the piece of `length` starts in its document. Full pieces come in order, one to a window.
  std::uint32_t document_offset(std::uint32_t index, std::uint32_t length) {
    const std::uint32_t n = documents_.lengths[index];
    const DocumentLayout layout = rules_.layout(n);
    if (length == rules_.window) {
      full_pieces_seen_ = index == last_full_index_ ? full_pieces_seen_ + 1 : 0;
      last_full_index_ = index;
      return layout.first_token + full_pieces_seen_ * rules_.window;
    }
    const std::uint64_t whole = rules_.whole_length(layout.kept());
    return layout.first_token + static_cast<std::uint32_t>(whole - length);
  }

  // A piece that does not end its document fills its window, so every one that is followed does.
  void add_separators(std::span<Segment> window) {
    write_separators(
        run_.ledger, window, [](std::size_t) { return true; },
        [&](std::size_t i) { return documents_.source(window[i].document - documents_.first_document); });
  }

  const DocumentSet& documents_;
  Run& run_;
  const WindowRules& rules_;
  LengthCounts counts_;  // of planned pieces by length
  std::unique_ptr<std::uint32_t[]> by_length_;
  std::uint64_t piece_count_ = 0;
  bool any_long_ = false;
  std::uint32_t last_full_index_ = UINT32_MAX;
  std::uint32_t full_pieces_seen_ = 0;
};

}  // namespace

std::vector<LengthClass> length_classes(std::span<const std::uint64_t> histogram, const WindowRules& rules) {
  std::vector<LengthClass> classes;
  std::uint64_t rank = 0;
  for (auto length = static_cast<std::uint32_t>(histogram.size()); length-- > 1;) {
    const std::uint64_t count = histogram[length];
    if (count == 0) continue;
    classes.push_back({length, rules.positions(length) + (rules.between ? 1 : 0), rank, count});
    rank += count;
  }
  return classes;
}

void pack_decreasing(const DocumentSet& documents, Fit fit, Run& run) {
  Decreasing decreasing(documents, run);
  decreasing.count();
  decreasing.pack(fit);
}

}  // namespace packscope
