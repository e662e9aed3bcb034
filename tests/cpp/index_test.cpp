// SPDX-License-Identifier: MIT
// The index structures of planning against obvious ones: sets, scans and sorted lists.
#include <gtest/gtest.h>

#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "index/candidate_pool.hpp"
#include "index/indexed_windows.hpp"
#include "index/length_set.hpp"
#include "index/room_heaps.hpp"
#include "index/scanned_windows.hpp"
#include "index/windows_by_room.hpp"
#include "packscope/random.hpp"

namespace packscope {
namespace {

std::uint32_t draw(Random& random, std::uint32_t below) {
  return static_cast<std::uint32_t>(random.below(below));
}

TEST(LengthSet, FindsNeighboursAsAnOrderedSetDoes) {
  for (const std::uint32_t largest : {1u, 64u, 65u, 5000u, 300'000u}) {
    Random random(largest);
    LengthSet set;
    std::set<std::uint32_t> expected;
    for (int step = 0; step < 3000; ++step) {
      const std::uint32_t value = draw(random, largest);
      if (expected.insert(value).second) {
        set.insert(value);
      } else {
        expected.erase(value);
        set.erase(value);
      }
      const std::uint32_t asked = draw(random, largest + 70);
      const auto above = expected.lower_bound(asked);
      const auto below = expected.upper_bound(asked);
      ASSERT_EQ(set.at_least(asked), above == expected.end() ? LengthSet::kNone : *above);
      ASSERT_EQ(set.at_most(asked), below == expected.begin() ? LengthSet::kNone : *std::prev(below));
    }
  }
}

TEST(LengthSet, IsEmptyAtFirst) {
  const LengthSet set;
  EXPECT_EQ(set.at_least(0), LengthSet::kNone);
  EXPECT_EQ(set.at_most(UINT32_MAX), LengthSet::kNone);
}

TEST(RoomHeaps, HandsOutEqualRoomsInOrder) {
  Random random(3);
  RoomHeaps heaps;
  std::set<std::pair<std::uint32_t, std::uint64_t>> expected;  // (room, order)
  std::vector<std::uint32_t> free;
  std::vector<std::uint64_t> order_of;
  for (std::uint64_t order = 0; order < 20'000; ++order) {
    const std::uint32_t needed = draw(random, 12);
    if (random.below(5) < 3) {
      if (free.empty()) {
        free.push_back(static_cast<std::uint32_t>(order_of.size()));
        order_of.push_back(0);
      }
      const std::uint32_t node = free.back();
      free.pop_back();
      order_of[node] = random.next() >> 20 << 20 | order;
      heaps.add(node, needed, order_of[node]);
      expected.emplace(needed, order_of[node]);
    } else if (const auto found = expected.lower_bound({needed, 0}); found != expected.end()) {
      ASSERT_EQ(heaps.tightest_room(needed), found->first);
      const std::uint32_t node = heaps.first(found->first);
      ASSERT_EQ(order_of[node], found->second);
      heaps.remove_first(found->first);
      free.push_back(node);
      expected.erase(found);
    } else {
      ASSERT_EQ(heaps.tightest_room(needed), RoomHeaps::kNone);
    }
    ASSERT_EQ(heaps.size(), expected.size());
  }
}

// The same documents into both kinds of open windows; every answer names a window by its first document.
template <class ManyWindows>
class BothKinds {
 public:
  explicit BothKinds(Options options)
      : options_(std::move(options)),
        run_{options_, WindowRules(options_), ledger_, out_, random_, scratch_, nullptr, nullptr},
        scanned_(options_),
        indexed_(options_) {}

  void place(std::uint32_t document, std::uint32_t length) {
    std::uint32_t scanned = choose(scanned_, length);
    std::uint32_t indexed = choose(indexed_, length);
    expect_same(scanned, indexed);
    if (scanned == kNoRoom) {
      if (scanned_.size() == options_.open_windows) close_one();
      scanned = scanned_.open(options_.context_length);
      indexed = indexed_.open(options_.context_length);
    }
    const Piece piece{{document, 0, length}, length, 0};
    const bool last = closes(run_, scanned_.room(scanned) - length, scanned_.window(scanned).size() + 1);
    scanned_.place(run_, scanned, piece, last);
    indexed_.place(run_, indexed, piece, last);
    if (last) close(scanned, indexed);
  }

  void close_one() {
    const bool oldest = options_.evict == Evict::oldest;
    const std::uint32_t scanned = oldest ? scanned_.oldest() : scanned_.fullest();
    const std::uint32_t indexed = oldest ? indexed_.oldest() : indexed_.fullest();
    expect_same(scanned, indexed);
    close(scanned, indexed);
  }

  [[nodiscard]] bool empty() const { return scanned_.size() == 0; }

 private:
  template <class OpenWindows>
  std::uint32_t choose(const OpenWindows& open, std::uint32_t length) const {
    if constexpr (std::is_same_v<ManyWindows, WindowsByRoom<OwnSegments>>) {
      return open.tightest_with_room(length);
    } else {
      return options_.algorithm == Algorithm::worst_fit ? open.roomiest_with_room(length)
                                                        : open.earliest_with_room(length);
    }
  }

  void expect_same(std::uint32_t scanned, std::uint32_t indexed) {
    ASSERT_EQ(scanned_.size(), indexed_.size());
    ASSERT_EQ(scanned == kNoRoom, indexed == kNoRoom);
    if (scanned == kNoRoom) return;
    ASSERT_EQ(scanned_.room(scanned), indexed_.room(indexed));
    ASSERT_EQ(scanned_.window(scanned).data()->document, indexed_.window(indexed).data()->document);
  }

  void close(std::uint32_t scanned, std::uint32_t indexed) {
    scanned_.window(scanned).emit(run_);
    indexed_.window(indexed).emit(run_);
    scanned_.close(scanned);
    indexed_.close(indexed);
  }

  Options options_;
  std::vector<Ledger> ledger_{1};
  WindowList out_;
  Random random_{0};
  PackScratch scratch_;
  Run run_;
  ScannedWindows<OwnSegments> scanned_;
  ManyWindows indexed_;
};

template <class ManyWindows>
void expect_same_answers(Algorithm algorithm) {
  for (const Evict evict : {Evict::oldest, Evict::fullest}) {
    for (const std::uint32_t open_windows : {1u, 2u, 7u, 130u}) {
      for (const std::uint32_t max_documents : {3u, kUnlimited}) {
        Options options;
        options.context_length = 64;
        options.algorithm = algorithm;
        options.open_windows = open_windows;
        options.evict = evict;
        options.min_room = 2;
        options.max_documents_per_window = max_documents;
        BothKinds<ManyWindows> both(options);
        Random random(open_windows);
        for (std::uint32_t document = 0; document < 2000; ++document) {
          both.place(document, 1 + draw(random, random.below(4) == 0 ? 60 : 9));
          if (testing::Test::HasFatalFailure()) return;
        }
        while (!both.empty()) {
          both.close_one();
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(OpenWindows, IndexedAnswerAsScanned) {
  expect_same_answers<IndexedWindows>(Algorithm::first_fit);
  expect_same_answers<IndexedWindows>(Algorithm::worst_fit);
}

TEST(OpenWindows, ThoseByRoomAnswerAsScanned) {
  expect_same_answers<WindowsByRoom<OwnSegments>>(Algorithm::best_fit);
}

WholeDocument document_of(std::uint32_t document, std::uint32_t length) {
  return {{document, 0, length}, 0, false};
}

TEST(CandidatePool, KnowsOldestShortestAndLongestThatFits) {
  CandidatePool pool;
  pool.join({document_of(0, 5), 1, false});
  pool.join({document_of(1, 9), 2, false});
  pool.join({document_of(2, 5), 3, false});
  EXPECT_EQ(pool.size(), 3u);
  EXPECT_EQ(pool.tokens(), 19u);
  EXPECT_EQ(pool.oldest().arrival, 1u);
  EXPECT_EQ(pool.shortest(), 5u);
  EXPECT_EQ(pool.longest_fitting(8), 5u);
  EXPECT_EQ(pool.longest_fitting(4), CandidatePool::kNone);
  EXPECT_EQ(pool.leave(5).document.segment.document, 0u);
  EXPECT_EQ(pool.oldest().arrival, 2u);
  EXPECT_EQ(pool.leave(5).document.segment.document, 2u);
  EXPECT_EQ(pool.longest_fitting(8), CandidatePool::kNone);
}

TEST(CandidatePool, CutsTheShortestWhichKeepsItsArrival) {
  CandidatePool pool;
  pool.join({document_of(0, 7), 1, false});
  pool.join({document_of(1, 9), 2, false});
  const Candidate first = pool.cut_shortest(3);
  EXPECT_EQ(first.document.segment, (Segment{0, 0, 3}));
  EXPECT_FALSE(first.split);
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_EQ(pool.tokens(), 13u);
  EXPECT_EQ(pool.oldest().document.segment, (Segment{0, 3, 4}));
  EXPECT_EQ(pool.oldest().arrival, 1u);
  EXPECT_TRUE(pool.oldest().split);
  EXPECT_EQ(pool.shortest(), 4u);
}

}  // namespace
}  // namespace packscope
