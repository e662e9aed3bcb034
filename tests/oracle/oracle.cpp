// SPDX-License-Identifier: MIT
// The oracle: each rule in the most literal form it can be written in. Speed is of no interest here.
#include "oracle/oracle.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "packscope/algorithms.hpp"
#include "packscope/random.hpp"

namespace packscope_oracle {
namespace {

using packscope::Algorithm;
using packscope::Documents;
using packscope::Evict;
using packscope::Homogeneity;
using packscope::Ledger;
using packscope::LongDocuments;
using packscope::Options;
using packscope::Segment;
using packscope::Separator;
using packscope::Tail;
using std::uint32_t;
using std::uint64_t;

// The numbers that the options boil down to.
struct Rules {
  explicit Rules(const Options& o)
      : options(o),
        window(o.context_length + (o.extra_token ? 1u : 0u)),
        bos(o.bos_id ? 1 : 0),
        after(o.separator_id && o.separator == Separator::after ? 1 : 0),
        between(o.separator_id && o.separator == Separator::between ? 1 : 0),
        capacity(window + between) {
    const bool splits = o.algorithm == Algorithm::wrap || o.algorithm == Algorithm::best_fit_wrap;
    long_documents = o.long_documents.value_or(splits ? LongDocuments::split : LongDocuments::drop);
  }

  // Positions that `length` tokens take when what follows starts at a multiple of document_multiple.
  [[nodiscard]] uint32_t rounded(uint32_t length) const {
    while (length % options.document_multiple != 0) ++length;
    return length;
  }

  const Options& options;
  uint32_t window;
  uint32_t bos;
  uint32_t after;
  uint32_t between;
  uint32_t capacity;  // of every algorithm but wrap, which treats separators as tokens of its stream
  LongDocuments long_documents;
};

// The part of a document that is to be packed: [bos] kept tokens [separator when after].
struct PlannedDocument {
  uint32_t document = 0;
  uint32_t first = 0;   // offset of its first token, BOS included
  uint32_t length = 0;  // tokens, without a separator between documents
  uint32_t kept = 0;    // tokens of the document itself
};

// A segment in the making. With separator=between, `separator` is 1 where its document ends.
struct Piece {
  Segment segment;
  uint32_t separator = 0;
};

struct Window {
  std::vector<Piece> pieces;
  uint32_t used = 0;
};

using Windows = std::vector<std::vector<Segment>>;

// With separator=between, every document of a window but the last is followed by its separator.
void close_window(const Window& window, Windows& closed) {
  std::vector<Segment> segments;
  for (const Piece& piece : window.pieces) {
    segments.push_back(piece.segment);
    segments.back().length += piece.separator;
  }
  segments.back().length -= window.pieces.back().separator;
  closed.push_back(std::move(segments));
}

template <class T>
void shuffle(std::vector<T>& values, packscope::Random& random) {
  if (values.empty()) return;
  for (std::size_t i = values.size() - 1; i > 0; --i) {
    std::swap(values[i], values[static_cast<std::size_t>(random.below(i + 1))]);
  }
}

// The documents of one group, as one algorithm sees them.
class GroupPacker {
 public:
  GroupPacker(const Rules& rules, packscope::Random& random, Windows& closed)
      : rules_(rules), options_(rules.options), random_(random), closed_(closed) {}
  GroupPacker(const GroupPacker&) = delete;
  GroupPacker& operator=(const GroupPacker&) = delete;
  virtual ~GroupPacker() = default;

  virtual void take(const PlannedDocument& document) = 0;
  virtual void flush() = 0;

 protected:
  // A document whole, or in pieces of a window with the rest last.
  [[nodiscard]] std::vector<Piece> pieces_of(const PlannedDocument& document) const {
    std::vector<Piece> pieces;
    uint32_t done = 0;
    while (document.length - done > rules_.window) {
      pieces.push_back({{document.document, document.first + done, rules_.window}, 0});
      done += rules_.window;
    }
    pieces.push_back({{document.document, document.first + done, document.length - done}, rules_.between});
    return pieces;
  }

  // A piece that is cut at a window's length leaves no room beside it, whatever the capacity.
  [[nodiscard]] uint32_t positions(const Piece& piece) const {
    if (piece.segment.length == rules_.window) return rules_.capacity;
    return rules_.rounded(piece.segment.length + piece.separator);
  }
  [[nodiscard]] uint32_t room(const Window& window) const { return rules_.capacity - window.used; }
  [[nodiscard]] bool fits(const Piece& piece, const Window& window) const {
    return positions(piece) <= room(window);
  }
  void place(const Piece& piece, Window& window) const {
    window.pieces.push_back(piece);
    window.used += positions(piece);
  }
  [[nodiscard]] bool must_close(const Window& window) const {
    return room(window) < options_.min_room || holds_most_documents(window);
  }
  [[nodiscard]] bool holds_most_documents(const Window& window) const {
    return window.pieces.size() >= options_.max_documents_per_window;
  }

  const Rules& rules_;
  const Options& options_;
  packscope::Random& random_;
  Windows& closed_;
};

class Pad final : public GroupPacker {
 public:
  using GroupPacker::GroupPacker;

  void take(const PlannedDocument& document) override {
    for (const Piece& piece : pieces_of(document)) {
      Window window;
      place(piece, window);
      close_window(window, closed_);
    }
  }
  void flush() override {}
};

// Writes one token at a time.
class Wrap final : public GroupPacker {
 public:
  using GroupPacker::GroupPacker;

  void take(const PlannedDocument& document) override {
    if (separator_waits_) {
      write(last_.document, last_.first + last_.length);
      end_document();
    }
    for (uint32_t i = 0; i < document.length; ++i) write(document.document, document.first + i);
    last_ = document;
    separator_waits_ = rules_.between == 1;
    if (!separator_waits_) end_document();
  }

  void flush() override {
    separator_waits_ = false;
    if (window_.pieces.empty()) return;
    if (options_.tail == Tail::pad || holds_most_documents(window_)) close_window(window_, closed_);
    window_ = {};
  }

 private:
  void write(uint32_t document, uint32_t offset) {
    if (window_.pieces.empty() || !continues(window_.pieces.back().segment, document, offset)) {
      window_.pieces.push_back({{document, offset, 0}, 0});
    }
    ++window_.pieces.back().segment.length;
    ++window_.used;
    close_if(window_.used == rules_.window);
  }

  static bool continues(const Segment& segment, uint32_t document, uint32_t offset) {
    return segment.document == document && segment.document_offset + segment.length == offset;
  }

  void end_document() {
    window_.used = rules_.rounded(window_.used);
    close_if(window_.used == rules_.window || holds_most_documents(window_));
  }

  void close_if(bool complete) {
    if (!complete || window_.pieces.empty()) return;
    close_window(window_, closed_);
    window_ = {};
  }

  Window window_;
  PlannedDocument last_;
  bool separator_waits_ = false;
};

class NextFit final : public GroupPacker {
 public:
  using GroupPacker::GroupPacker;

  void take(const PlannedDocument& document) override {
    for (const Piece& piece : pieces_of(document)) {
      if (!fits(piece, window_)) flush();
      place(piece, window_);
      if (must_close(window_)) flush();
    }
  }

  void flush() override {
    if (!window_.pieces.empty()) close_window(window_, closed_);
    window_ = {};
  }

 private:
  Window window_;
};

// The window of `windows` (in the order they were opened) that the fit algorithms would take for
// `piece`, or nothing. A strict comparison keeps the earliest opened among equals.
template <class Fits, class Room>
std::optional<std::size_t> choose(Algorithm algorithm, std::size_t count, Fits fits, Room room) {
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    if (!fits(i)) continue;
    const bool least = algorithm == Algorithm::best_fit || algorithm == Algorithm::best_fit_decreasing;
    const bool most = algorithm == Algorithm::worst_fit;
    if (!chosen || (least && room(i) < room(*chosen)) || (most && room(i) > room(*chosen))) chosen = i;
  }
  return chosen;
}

class OnlineFit final : public GroupPacker {
 public:
  using GroupPacker::GroupPacker;

  void take(const PlannedDocument& document) override {
    for (const Piece& piece : pieces_of(document)) take(piece);
  }

  void flush() override {
    while (!open_.empty()) close(0);
  }

 private:
  void take(const Piece& piece) {
    std::optional<std::size_t> chosen = choose(
        options_.algorithm, open_.size(), [&](std::size_t i) { return fits(piece, open_[i]); },
        [&](std::size_t i) { return room(open_[i]); });
    if (!chosen) {
      Window alone;
      place(piece, alone);
      if (must_close(alone)) return close_window(alone, closed_);
      if (open_.size() == options_.open_windows) close(evicted());
      open_.push_back(std::move(alone));
      return;
    }
    place(piece, open_[*chosen]);
    if (must_close(open_[*chosen])) close(*chosen);
  }

  [[nodiscard]] std::size_t evicted() const {
    std::size_t chosen = 0;
    if (options_.evict == Evict::oldest) return chosen;
    for (std::size_t i = 1; i < open_.size(); ++i) {
      if (room(open_[i]) < room(open_[chosen])) chosen = i;
    }
    return chosen;
  }

  void close(std::size_t index) {
    close_window(open_[index], closed_);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  std::vector<Window> open_;  // in the order they were opened
};

// Sorts or shuffles what came since the last flush, then fits it into any number of windows.
class OfflineFit final : public GroupPacker {
 public:
  using GroupPacker::GroupPacker;

  void take(const PlannedDocument& document) override { waiting_.push_back(document); }

  void flush() override {
    if (options_.algorithm == Algorithm::first_fit_shuffle) shuffle(waiting_, random_);
    std::vector<Piece> pieces;
    for (const PlannedDocument& document : waiting_) {
      for (const Piece& piece : pieces_of(document)) pieces.push_back(piece);
    }
    waiting_.clear();
    if (options_.algorithm != Algorithm::first_fit_shuffle) {
      std::stable_sort(pieces.begin(), pieces.end(),
                       [](const Piece& a, const Piece& b) { return a.segment.length > b.segment.length; });
    }
    fit(pieces);
  }

 private:
  void fit(const std::vector<Piece>& pieces) {
    std::vector<Window> windows;
    for (const Piece& piece : pieces) {
      std::optional<std::size_t> chosen = choose(
          options_.algorithm, windows.size(),
          [&](std::size_t i) { return !must_close(windows[i]) && fits(piece, windows[i]); },
          [&](std::size_t i) { return room(windows[i]); });
      if (!chosen) windows.emplace_back();
      place(piece, windows[chosen.value_or(windows.size() - 1)]);
    }
    for (const Window& window : windows) close_window(window, closed_);
  }

  std::vector<PlannedDocument> waiting_;
};

class BestFitWrap final : public GroupPacker {
 public:
  using GroupPacker::GroupPacker;

  void take(const PlannedDocument& document) override {
    Piece rest{{document.document, document.first, document.length}, rules_.between};
    while (rest.segment.length >= rules_.window) {
      Window full;
      place(cut_front(rest, rules_.window), full);
      close_window(full, closed_);
    }
    if (rest.segment.length > 0) pool_.push_back({rest, ++arrivals_});
    while (pool_.size() >= options_.candidate_pool && pool_tokens() >= rules_.window) build_window();
  }

  void flush() override {
    while (!pool_.empty()) build_window();
  }

 private:
  struct Candidate {
    Piece piece;
    uint64_t arrival = 0;
  };

  // The first `length` tokens of `piece`, which keeps the others. They never reach its separator.
  static Piece cut_front(Piece& piece, uint32_t length) {
    Piece front{piece.segment, 0};
    front.segment.length = length;
    piece.segment.document_offset += length;
    piece.segment.length -= length;
    return front;
  }

  [[nodiscard]] uint64_t pool_tokens() const {
    uint64_t tokens = 0;
    for (const Candidate& candidate : pool_) tokens += candidate.piece.segment.length;
    return tokens;
  }

  void build_window() {
    Window window;
    // With separator=between the last position of the capacity only ever holds a separator.
    while (room(window) > rules_.between && !pool_.empty() && !holds_most_documents(window)) step(window);
    close_window(window, closed_);
  }

  void step(Window& window) {
    std::optional<std::size_t> chosen = overdue(window);
    if (!chosen) chosen = longest_fitting(window);
    if (chosen) {
      place(pool_[*chosen].piece, window);
      pool_.erase(pool_.begin() + static_cast<std::ptrdiff_t>(*chosen));
      return;
    }
    place(cut_front(pool_[shortest()].piece, room(window) - rules_.between), window);
  }

  // The pool stays in the order of arrival, so its first candidate is the oldest.
  [[nodiscard]] std::optional<std::size_t> overdue(const Window& window) const {
    const bool late = arrivals_ - pool_.front().arrival > uint64_t{8} * options_.candidate_pool;
    if (late && fits(pool_.front().piece, window)) return 0;
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::size_t> longest_fitting(const Window& window) const {
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      if (!fits(pool_[i].piece, window)) continue;
      if (!chosen || length(i) > length(*chosen)) chosen = i;
    }
    return chosen;
  }

  [[nodiscard]] std::size_t shortest() const {
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < pool_.size(); ++i) {
      if (length(i) < length(chosen)) chosen = i;
    }
    return chosen;
  }

  [[nodiscard]] uint32_t length(std::size_t index) const { return pool_[index].piece.segment.length; }

  std::vector<Candidate> pool_;
  uint64_t arrivals_ = 0;
};

std::unique_ptr<GroupPacker> make_packer(const Rules& rules, packscope::Random& random, Windows& closed) {
  switch (rules.options.algorithm) {
    case Algorithm::pad:
      return std::make_unique<Pad>(rules, random, closed);
    case Algorithm::wrap:
      return std::make_unique<Wrap>(rules, random, closed);
    case Algorithm::next_fit:
      return std::make_unique<NextFit>(rules, random, closed);
    case Algorithm::first_fit:
    case Algorithm::best_fit:
    case Algorithm::worst_fit:
      return std::make_unique<OnlineFit>(rules, random, closed);
    case Algorithm::best_fit_wrap:
      return std::make_unique<BestFitWrap>(rules, random, closed);
    default:
      return std::make_unique<OfflineFit>(rules, random, closed);
  }
}

class Oracle {
 public:
  Oracle(const Documents& documents, const Options& options)
      : documents_(documents), options_(options), rules_(options), random_(options.seed) {}

  OraclePlan run() {
    for (uint32_t document = 0; document < documents_.lengths.size(); ++document) {
      if (!refused(document)) continue;
      result_.refused_document = document;
      return std::move(result_);
    }
    std::vector<uint32_t> order(documents_.lengths.size());
    std::iota(order.begin(), order.end(), 0u);
    if (options_.shuffle_documents) shuffle(order, random_);

    uint64_t read = 0;
    for (const uint32_t document : order) {
      take(document);
      if (options_.flush_every && ++read % *options_.flush_every == 0) flush();
    }
    flush();

    if (options_.shuffle_windows) shuffle(result_.windows, random_);
    count_documents();
    while (result_.windows.size() % options_.window_multiple != 0) {
      result_.windows.emplace_back();
      ++result_.ledger.filler_windows;
    }
    return std::move(result_);
  }

 private:
  struct Group {
    uint32_t number = 0;
    std::unique_ptr<GroupPacker> packer;
  };

  [[nodiscard]] bool refused(uint32_t document) const {
    return rules_.long_documents == LongDocuments::error && documents_.lengths[document] > 0 &&
           !is_duplicate(document) && is_long(document);
  }

  void take(uint32_t document) {
    GroupPacker& packer = packer_of(group_of(document));
    if (documents_.lengths[document] == 0 || is_duplicate(document)) return;
    const PlannedDocument planned = layout(document);
    if (planned.kept > 0) packer.take(planned);
  }

  void flush() {
    for (Group& group : groups_) group.packer->flush();
    // Offline algorithms begin anew with each flush, groups in the order of their first documents in it.
    if (packscope::algorithm_info(options_.algorithm).kind == packscope::AlgorithmKind::offline)
      groups_.clear();
  }

  [[nodiscard]] bool is_duplicate(uint32_t document) const {
    return options_.drop_duplicates && !documents_.duplicates.empty() && documents_.duplicates[document] == 1;
  }

  [[nodiscard]] bool is_long(uint32_t document) const {
    return documents_.lengths[document] + rules_.bos + rules_.after > rules_.window;
  }

  // Which tokens are planned; none of a document that is dropped.
  [[nodiscard]] PlannedDocument layout(uint32_t document) const {
    const uint32_t n = documents_.lengths[document];
    const uint32_t extra = rules_.bos + rules_.after;
    if (!is_long(document) || rules_.long_documents == LongDocuments::split) {
      return {document, 0, n + extra, n};
    }
    const uint32_t kept = rules_.window - extra;
    if (rules_.long_documents == LongDocuments::truncate) return {document, 0, rules_.window, kept};
    if (rules_.long_documents == LongDocuments::truncate_left) {
      return {document, n - kept, rules_.window, kept};
    }
    return {document, 0, 0, 0};
  }

  [[nodiscard]] uint32_t source_of(uint32_t document) const {
    return documents_.sources.empty() ? 0 : documents_.sources[document];
  }

  [[nodiscard]] uint32_t group_of(uint32_t document) const {
    if (options_.homogeneity == Homogeneity::none) return 0;
    if (options_.homogeneity == Homogeneity::full) return source_of(document);
    const std::string& source = documents_.source_names[source_of(document)];
    uint32_t number = 0;
    for (const packscope::Group& group : options_.groups) {
      if (std::find(group.sources.begin(), group.sources.end(), source) != group.sources.end()) break;
      ++number;
    }
    return number;
  }

  // Groups stand in the order of their first document, be it empty or dropped.
  GroupPacker& packer_of(uint32_t number) {
    for (Group& group : groups_) {
      if (group.number == number) return *group.packer;
    }
    groups_.push_back({number, make_packer(rules_, random_, result_.windows)});
    return *groups_.back().packer;
  }

  // The ledger, from nothing but the windows.
  void count_documents() {
    result_.ledger_by_source.resize(std::max<std::size_t>(1, documents_.source_names.size()));
    for (uint32_t document = 0; document < documents_.lengths.size(); ++document) {
      const Ledger counts = count_document(document);
      result_.ledger += counts;
      result_.ledger_by_source[source_of(document)] += counts;
    }
  }

  [[nodiscard]] Ledger count_document(uint32_t document) const {
    const uint32_t n = documents_.lengths[document];
    uint64_t segments = 0, all = 0, own = 0;
    for (const auto& window : result_.windows) {
      for (const Segment& segment : window) {
        if (segment.document != document) continue;
        ++segments;
        all += segment.length;
        own += own_tokens(segment);
      }
    }
    Ledger counts;
    counts.documents = 1;
    counts.tokens = n;
    counts.tokens_dropped = n - own;
    counts.separators_added = all - own;
    counts.split_documents = segments > 1 ? 1 : 0;
    counts.truncated_documents = own > 0 && own < n ? 1 : 0;
    if (n == 0) {
      counts.empty_documents = 1;
    } else if (is_duplicate(document)) {
      counts.duplicate_documents = 1;
    } else if (own == 0) {
      counts.dropped_documents = 1;
    }
    return counts;
  }

  // Tokens of a segment that are neither BOS nor separator.
  [[nodiscard]] uint64_t own_tokens(const Segment& segment) const {
    const PlannedDocument planned = layout(segment.document);
    const uint32_t begin = planned.first + rules_.bos;
    uint64_t own = 0;
    for (uint32_t i = 0; i < segment.length; ++i) {
      const uint32_t offset = segment.document_offset + i;
      if (offset >= begin && offset < begin + planned.kept) ++own;
    }
    return own;
  }

  const Documents& documents_;
  const Options& options_;
  Rules rules_;
  packscope::Random random_;
  std::vector<Group> groups_;
  OraclePlan result_;
};

}  // namespace

OraclePlan plan(const Documents& documents, const Options& options) {
  return Oracle(documents, options).run();
}

}  // namespace packscope_oracle
