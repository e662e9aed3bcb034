// SPDX-License-Identifier: MIT
#include "algorithms/decreasing.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "length_counts.hpp"
#include "pieces.hpp"
#include "tail_writer.hpp"
#include "work_shares.hpp"

namespace packscope {
namespace {

constexpr std::size_t kDocumentsInShare = 1 << 15;  // at least; fewer are not worth a thread
constexpr std::uint64_t kSegmentsInShare = 1 << 16;
constexpr std::size_t kSmallTable = 1 << 11;     // of counts by tokens, for however few documents
constexpr std::uint64_t kSegmentsAtOnce = 1024;  // stay in the nearest cache

// Documents [first, last), which one thread counts and sorts.
struct DocumentShare {
  std::size_t first = 0;
  std::size_t last = 0;
  LengthCounts counts;                   // of planned pieces by length
  std::vector<std::uint64_t> ordinary;   // by source: documents that are planned as they are
  std::vector<std::uint32_t> unusual;    // indices of the others, where threads share the work
  std::vector<std::uint64_t> next_rank;  // by length: of the next piece among all, longest first
  // Where documents are counted by their tokens: how many have so many, and then the rank of the next of
  // them.
  std::vector<std::uint32_t> by_tokens;
};

// Windows that one thread writes: from one place in the runs to the next share's.
struct WindowShare {
  std::size_t run = 0;
  std::uint64_t window = 0;    // in that run
  std::uint64_t segments = 0;  // before it
  std::uint64_t windows = 0;   // before it
};

class Decreasing {
 public:
  Decreasing(const DocumentSet& documents, Run& run)
      : documents_(documents),
        run_(run),
        rules_(run.rules),
        added_(rules_.added()),
        by_tokens_(tokens_decide()) {}

  // First pass over the lengths: counts everything.
  void count() {
    // Each share has a histogram, which must cost less than its documents.
    const std::size_t smallest = std::max<std::size_t>({kDocumentsInShare, rules_.window, table_size()});
    shares_.resize(share_count(run_.executor, documents_.size(), smallest));
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      shares_[i].first = share_begin(documents_.size(), shares_.size(), i);
      shares_[i].last = share_begin(documents_.size(), shares_.size(), i + 1);
      shares_[i].ordinary.resize(added_ > 0 ? run_.ledger.size() : 0);
    }
    if (by_tokens_) return count_by_tokens();
    run_shares(run_.executor, shares_.size(), [&](std::size_t i) { count_ordinary(shares_[i]); });
    for (DocumentShare& share : shares_) {
      for (const std::uint32_t index : share.unusual) count_unusual(share, index);
      for (std::size_t source = 0; source < share.ordinary.size(); ++source)
        run_.ledger[source].separators_added += share.ordinary[source] * added_;
    }
  }

  void pack(Fit fit) {
    const std::vector<LengthClass> classes = length_classes(all_counts(), rules_);
    const WindowRuns runs = plan_window_runs(classes, fit, rules_.capacity, run_.options.min_room,
                                             run_.options.max_documents_per_window);
    sort_documents(classes);
    hand_out(runs);
    if (run_.trace != nullptr) trace(runs.window_count);
  }

 private:
  [[nodiscard]] std::size_t table_size() const {
    return by_tokens_ ? std::size_t{documents_.longest} + 1 : 0;
  }

  // Every document is planned as it is or not at all, so that its tokens tell which, and nobody wants to know
  // its fate. Then neither pass has a branch.
  [[nodiscard]] bool tokens_decide() const {
    const bool whole_or_not =
        rules_.long_documents == LongDocuments::drop || documents_.longest <= rules_.longest_whole_document();
    const bool affordable = documents_.longest < std::max(documents_.size(), kSmallTable);
    return whole_or_not && affordable && documents_.is_plain() && run_.trace == nullptr;
  }

  [[nodiscard]] bool is_whole(std::size_t tokens) const {
    return tokens - 1 < rules_.longest_whole_document();
  }

  void count_by_tokens() {
    run_shares(run_.executor, shares_.size(), [&](std::size_t i) {
      DocumentShare& share = shares_[i];
      share.by_tokens.resize(table_size());
      std::uint32_t* const counts = share.by_tokens.data();
      const std::uint32_t* const lengths = documents_.lengths.data();
      for (std::size_t d = share.first; d < share.last; ++d) ++counts[lengths[d]];
    });
    for (DocumentShare& share : shares_) {
      for (std::uint32_t tokens = 0; tokens < share.by_tokens.size(); ++tokens) {
        if (share.by_tokens[tokens] > 0) count_equal(share, tokens, share.by_tokens[tokens]);
      }
    }
  }

  void count_equal(DocumentShare& share, std::uint32_t tokens, std::uint64_t documents) {
    Ledger& row = run_.ledger.front();
    if (is_whole(tokens)) {
      share.counts.add(tokens + added_, documents);
      row.separators_added += documents * added_;
    } else {
      (tokens == 0 ? row.empty_documents : row.dropped_documents) += documents;
      row.tokens_dropped += documents * tokens;
    }
  }

  // What is not ordinary counts in the ledger, which one thread writes: alone at once, else afterwards.
  void count_ordinary(DocumentShare& share) {
    const bool alone = shares_.size() == 1;
    visit_documents(
        rules_, documents_, share.first, share.last,
        [&](std::uint32_t index, std::uint32_t n) {
          share.counts.add(n + added_);
          if (added_ > 0) ++share.ordinary[documents_.source(index)];
        },
        [&](std::uint32_t index, std::uint32_t) {
          alone ? count_unusual(share, index) : share.unusual.push_back(index);
        });
  }

  void count_unusual(DocumentShare& share, std::uint32_t index) {
    DocumentLayout layout;
    if (!take_in(run_, documents_, index, layout)) return;
    const PieceLengths pieces = piece_lengths(rules_, rules_.whole_length(layout.kept()));
    any_long_ = true;
    share.counts.add(pieces.last);
    if (pieces.full == 0) return;
    share.counts.add(rules_.window, pieces.full);
    ++run_.ledger[documents_.source(index)].split_documents;
  }

  [[nodiscard]] std::vector<std::uint64_t> all_counts() const {
    std::vector<std::uint64_t> sums = shares_.front().counts.counts();
    for (std::size_t i = 1; i < shares_.size(); ++i) {
      const std::vector<std::uint64_t>& counts = shares_[i].counts.counts();
      sums.resize(std::max(sums.size(), counts.size()));
      for (std::size_t length = 0; length < counts.size(); ++length) sums[length] += counts[length];
    }
    return sums;
  }

  // Second pass: a stable counting sort of document indices by planned length, longest first. Of each length
  // the first share has the first ranks.
  void sort_documents(std::span<const LengthClass> classes) {
    for (DocumentShare& share : shares_) share.next_rank.resize(share.counts.counts().size());
    for (const LengthClass& pieces : classes) {
      std::uint64_t rank = pieces.first_rank;
      for (DocumentShare& share : shares_) {
        if (pieces.length >= share.next_rank.size()) continue;
        share.next_rank[pieces.length] = rank;
        rank += share.counts.counts()[pieces.length];
      }
      piece_count_ += pieces.count;
    }
    Buffer<std::uint32_t>& ids = run_.scratch.ids;
    ids.clear();  // so that growing copies nothing
    if (by_tokens_) return sort_by_tokens(ids);
    ids.resize(static_cast<std::size_t>(piece_count_));
    run_shares(run_.executor, shares_.size(), [&](std::size_t i) { sort_share(shares_[i], ids.data()); });
  }

  // Documents that are left out get ranks behind all others.
  void sort_by_tokens(Buffer<std::uint32_t>& ids) {
    ids.resize(documents_.size());
    auto left_out = static_cast<std::uint32_t>(piece_count_);
    for (DocumentShare& share : shares_) {
      for (std::size_t tokens = 0; tokens < share.by_tokens.size(); ++tokens) {
        const std::uint32_t count = share.by_tokens[tokens];
        if (count == 0) continue;
        share.by_tokens[tokens] =
            is_whole(tokens) ? static_cast<std::uint32_t>(share.next_rank[tokens + added_]) : left_out;
        if (!is_whole(tokens)) left_out += count;
      }
    }
    run_shares(run_.executor, shares_.size(), [&](std::size_t i) {
      DocumentShare& share = shares_[i];
      std::uint32_t* const next = share.by_tokens.data();
      std::uint32_t* const by_length = ids.data();
      const std::uint32_t* const lengths = documents_.lengths.data();
      for (std::size_t d = share.first; d < share.last; ++d)
        by_length[next[lengths[d]]++] = static_cast<std::uint32_t>(d);
    });
  }

  void sort_share(DocumentShare& share, std::uint32_t* by_length) const {
    std::uint64_t* const next = share.next_rank.data();
    visit_documents(
        rules_, documents_, share.first, share.last,
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
    first_segment_ = segments.size();
    first_window_ = offsets.size() - 1;
    segments.resize(first_segment_ + static_cast<std::size_t>(piece_count_));
    offsets.resize(offsets.size() + static_cast<std::size_t>(runs.window_count));
    const std::vector<WindowShare> shares = window_shares(runs);
    run_shares(run_.executor, shares.size() - 1,
               [&](std::size_t i) { write_share(runs, shares[i], shares[i + 1]); });
  }

  // Where each share begins, and behind the last one the end. Separators between documents count in the
  // ledger, so that one thread writes them.
  [[nodiscard]] std::vector<WindowShare> window_shares(const WindowRuns& runs) const {
    Executor* const executor = rules_.between ? nullptr : run_.executor;
    const std::size_t count = share_count(executor, piece_count_, kSegmentsInShare);
    std::vector<WindowShare> shares{WindowShare{}};
    WindowShare at;
    for (at.run = 0; at.run < runs.runs.size(); ++at.run) {
      const WindowRun& same = runs.runs[at.run];
      const auto target = [&] { return share_begin(piece_count_, count, shares.size()); };
      std::uint64_t taken = 0;
      while (shares.size() < count && at.segments + (same.count - taken) * same.documents > target()) {
        const std::uint64_t step = (target() - at.segments) / same.documents;
        taken += step;
        at.segments += step * same.documents;
        at.windows += step;
        shares.push_back({at.run, taken, at.segments, at.windows});
      }
      at.segments += (same.count - taken) * same.documents;
      at.windows += same.count - taken;
    }
    shares.push_back(at);
    return shares;
  }

  void write_share(const WindowRuns& runs, const WindowShare& begin, const WindowShare& end) const {
    const std::uint64_t first_segment = first_segment_ + begin.segments;
    NextWindow next{run_.out.segments.data() + first_segment,
                    run_.out.window_offsets.data() + first_window_ + begin.windows, first_segment};
    std::vector<Placement> contents;
    FullPieces full_pieces;
    for (std::size_t run = begin.run; run <= end.run && run < runs.runs.size(); ++run) {
      const WindowRun& same = runs.runs[run];
      const std::uint64_t first = run == begin.run ? begin.window : 0;
      const std::uint64_t last = run == end.run ? end.window : same.count;
      runs.contents(same, contents);
      for (Placement& placement : contents) {
        placement.first_rank += (same.first + first - placement.first_window) * placement.per_window;
      }
      write_equal_windows(contents, last - first, same.documents, next, full_pieces);
    }
  }

  // The full piece written last: how many of its document came before it.
  struct FullPieces {
    std::uint32_t index = UINT32_MAX;
    std::uint32_t before = 0;
  };

  // Where a window is written.
  struct NextWindow {
    Segment* segments;
    std::uint64_t* offset;  // its first entry of window_offsets
    std::uint64_t begin;    // what stands there
  };

  void write_equal_windows(std::span<Placement> contents, std::uint64_t count, std::uint32_t documents,
                           NextWindow& next, FullPieces& full_pieces) const {
    while (count > 0) {
      const std::uint64_t windows = std::clamp<std::uint64_t>(kSegmentsAtOnce / documents, 1, count);
      write_windows(contents, windows, documents, next.segments, full_pieces);
      for (std::uint64_t w = 0; w < windows; ++w) {
        *++next.offset = next.begin += documents;
        if (rules_.between) add_separators(run_, documents_, {next.segments, documents});
        next.segments += documents;
      }
      count -= windows;
    }
  }

  // Steps through ids and through the segments that they make.
  struct Walk {
    std::uint64_t steps;
    std::uint64_t ids;       // a step goes on by so many
    std::uint64_t segments;  // and by so many of these
  };

  // Takes the next documents of each placement for windows of so many `documents` each. The inner loop is the
  // longer one: through the same place of all windows, or through the equal documents of one.
  void write_windows(std::span<Placement> contents, std::uint64_t windows, std::uint32_t documents,
                     Segment* out, FullPieces& full_pieces) const {
    for (Placement& placement : contents) {
      const Walk across{windows, placement.per_window, documents};
      const Walk within{placement.per_window, 1, 1};
      const auto& [outer, inner] =
          windows < placement.per_window ? std::pair(across, within) : std::pair(within, across);
      const std::uint32_t* ids = run_.scratch.ids.data() + placement.first_rank;
      Segment* to = out;
      for (std::uint64_t i = 0; i < outer.steps; ++i, ids += outer.ids, to += outer.segments) {
        write_walk(placement.length, inner, ids, to, full_pieces);
      }
      placement.first_rank += windows * placement.per_window;
      out += placement.per_window;
    }
  }

  void write_walk(std::uint32_t length, const Walk& walk, const std::uint32_t* id, Segment* out,
                  FullPieces& full_pieces) const {
    if (any_long_) return write_pieces(length, walk, id, out, full_pieces);
    write_whole(length, walk, id, out);
  }

  void write_whole(std::uint32_t length, const Walk& walk, const std::uint32_t* id, Segment* out) const {
    const std::uint32_t first_document = documents_.first_document;
    const Walk by = walk;  // not behind a reference, which a write might change
    for (std::uint64_t i = 0; i < by.steps; ++i, id += by.ids, out += by.segments) {
      write_segment(out, {first_document + *id, 0, length});
    }
  }

  void write_pieces(std::uint32_t length, const Walk& walk, const std::uint32_t* id, Segment* out,
                    FullPieces& full_pieces) const {
    for (std::uint64_t i = 0; i < walk.steps; ++i, id += walk.ids, out += walk.segments) {
      *out = {documents_.first_document + *id, document_offset(id, length, full_pieces), length};
    }
  }

  // Where the piece of `length` starts in its document. Full pieces come first of all, in order.
  std::uint32_t document_offset(const std::uint32_t* id, std::uint32_t length,
                                FullPieces& full_pieces) const {
    const DocumentLayout layout = rules_.layout(documents_.lengths[*id]);
    if (length == rules_.window) {
      full_pieces.before = *id == full_pieces.index ? full_pieces.before + 1 : equal_before(id);
      full_pieces.index = *id;
      return layout.first_token + full_pieces.before * rules_.window;
    }
    const std::uint64_t whole = rules_.whole_length(layout.kept());
    return layout.first_token + static_cast<std::uint32_t>(whole - length);
  }

  [[nodiscard]] std::uint32_t equal_before(const std::uint32_t* id) const {
    std::uint32_t count = 0;
    while (id - count != run_.scratch.ids.data() && *(id - count - 1) == *id) ++count;
    return count;
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

  const DocumentSet& documents_;
  Run& run_;
  const WindowRules& rules_;
  const std::uint32_t added_;  // BOS and separator of every document
  const bool by_tokens_;
  std::vector<DocumentShare> shares_;
  std::uint64_t piece_count_ = 0;
  bool any_long_ = false;
  std::size_t first_segment_ = 0;  // of the windows written here
  std::size_t first_window_ = 0;
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
