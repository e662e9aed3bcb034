// SPDX-License-Identifier: MIT
#include "algorithms/decreasing.hpp"

#include <algorithm>
#include <tuple>

#include "length_counts.hpp"
#include "pieces.hpp"

namespace packscope {
namespace {

class Decreasing {
 public:
  Decreasing(const DocumentSet& documents, Run& run)
      : documents_(documents), run_(run), rules_(run.rules), added_(rules_.added()) {}

  // First pass over the lengths: counts everything.
  void count() {
    visit_documents(
        rules_, documents_, 0, documents_.size(),
        [&](std::uint32_t index, std::uint32_t n) {
          counts_.add(n + added_);
          if (added_ > 0) run_.ledger[documents_.source(index)].separators_added += added_;
        },
        [&](std::uint32_t index, std::uint32_t) { count_unusual(index); });
  }

  void pack(Fit fit) {
    const std::vector<LengthClass> classes = length_classes(counts_.counts(), rules_);
    const WindowRuns runs = plan_window_runs(classes, fit, rules_.capacity, run_.options.min_room,
                                             run_.options.max_documents_per_window);
    sort_documents(classes);
    hand_out(runs);
    if (run_.trace != nullptr) trace(runs.window_count);
  }

 private:
  void count_unusual(std::uint32_t index) {
    DocumentLayout layout;
    if (!take_in(run_, documents_, index, layout)) return;
    const PieceLengths pieces = piece_lengths(rules_, rules_.whole_length(layout.kept()));
    any_long_ = true;
    counts_.add(pieces.last);
    if (pieces.full == 0) return;
    counts_.add(rules_.window, pieces.full);
    ++run_.ledger[documents_.source(index)].split_documents;
  }

  // Second pass: a stable counting sort of document indices by planned length, longest first.
  void sort_documents(std::span<const LengthClass> classes) {
    std::vector<std::uint64_t> next(counts_.counts().size());
    for (const LengthClass& pieces : classes) {
      next[pieces.length] = pieces.first_rank;
      piece_count_ += pieces.count;
    }
    Buffer<std::uint32_t>& ids = run_.scratch.ids;
    ids.clear();  // so that growing copies nothing
    ids.resize(static_cast<std::size_t>(piece_count_));
    std::uint32_t* const by_length = ids.data();
    visit_documents(
        rules_, documents_, 0, documents_.size(),
        [&](std::uint32_t index, std::uint32_t n) { by_length[next[n + added_]++] = index; },
        [&](std::uint32_t index, std::uint32_t n) {
          if (n == 0 || documents_.duplicate(index)) return;
          const std::uint32_t kept = rules_.layout(n).kept();
          if (kept == 0) return;
          const PieceLengths pieces = piece_lengths(rules_, rules_.whole_length(kept));
          for (std::uint64_t k = 0; k < pieces.full; ++k) by_length[next[rules_.window]++] = index;
          by_length[next[pieces.last]++] = index;
        });
  }

  // Writes the windows in order; ids of each placement are read in order too.
  void hand_out(const WindowRuns& runs) {
    Buffer<Segment>& segments = run_.out.segments;
    Buffer<std::uint64_t>& offsets = run_.out.window_offsets;
    const std::size_t first_segment = segments.size();
    const std::size_t first_window = offsets.size() - 1;
    segments.resize(first_segment + static_cast<std::size_t>(piece_count_));
    offsets.resize(offsets.size() + static_cast<std::size_t>(runs.window_count));

    Segment* out = segments.data() + first_segment;
    std::uint64_t* offset = offsets.data() + first_window;
    std::vector<Placement> contents;
    for (const WindowRun& same : runs.runs) {
      runs.contents(same, contents);
      for (Placement& placement : contents) {
        placement.first_rank += (same.first - placement.first_window) * placement.per_window;
      }
      for (std::uint64_t w = 0; w < same.count; ++w, ++offset) {
        out = write_window(contents, out);
        offset[1] = offset[0] + same.documents;
        if (rules_.between) add_separators(run_, documents_, {out - same.documents, same.documents});
      }
    }
  }

  // Takes the next documents of each placement; returns where the window ends.
  Segment* write_window(std::span<Placement> contents, Segment* out) {
    Segment* const begin = out;
    const std::uint32_t* const by_length = run_.scratch.ids.data();
    const std::uint32_t first_document = documents_.first_document;
    for (Placement& placement : contents) {
      const std::uint32_t* ids = by_length + placement.first_rank;
      placement.first_rank += placement.per_window;
      const std::uint32_t* const end = by_length + placement.first_rank;
      while (ids != end) *out++ = {first_document + *ids++, 0, placement.length};
    }
    if (any_long_) find_offsets({begin, out});
    return out;
  }

  // The placements of the last `window_count` windows in the order of the textbook loop: longest piece first,
  // of equal ones that of the first document.
  void trace(std::uint64_t window_count) {
    std::vector<Placed> placements;
    std::vector<std::size_t> place(documents_.lengths.size());  // in the order of documents
    for (std::size_t i = 0; i < documents_.size(); ++i) place[documents_.index(i)] = i;
    const WindowList& out = run_.out;
    for (std::uint64_t w = 0; w < window_count; ++w) {
      const std::span<const Segment> window = out.window(out.window_count() - window_count + w);
      for (const Segment& segment : window) placements.push_back({segment, w});
      if (!rules_.between) continue;
      for (std::size_t i = 1; i < window.size(); ++i) --placements[placements.size() - 1 - i].segment.length;
    }
    const auto key = [&](const Placed& placed) {
      const std::size_t index = placed.segment.document - documents_.first_document;
      return std::tuple(~placed.segment.length, place[index], placed.segment.document_offset);
    };
    std::sort(placements.begin(), placements.end(),
              [&](const Placed& a, const Placed& b) { return key(a) < key(b); });
    trace_placements(run_, placements);
  }

  void find_offsets(std::span<Segment> window) {
    for (Segment& segment : window) {
      segment.document_offset = document_offset(segment.document - documents_.first_document, segment.length);
    }
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

  const DocumentSet& documents_;
  Run& run_;
  const WindowRules& rules_;
  const std::uint32_t added_;  // BOS and separator of every document
  LengthCounts counts_;        // of planned pieces by length
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
    classes.push_back({length, rules.planned_positions(length), rank, count});
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
