// SPDX-License-Identifier: MIT
// Cutting a stream of documents in SIMD against its scalar twin, on every number of documents and every
// instruction set that this processor has, and plans of wrap against placing one document at a time.
#include "kernels/stream_cuts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "every_target.hpp"
#include "packscope/packscope.hpp"
#include "packscope/random.hpp"

namespace packscope {
namespace {

constexpr std::size_t kMostDocuments = 35;  // four steps, and every tail

struct StreamCase {
  StreamRules rules;
  std::uint32_t most_tokens;
};

// Usual documents, many that end with their window, empty ones, long ones, and the longest windows.
const std::vector<StreamCase>& stream_cases() {
  static const std::vector<StreamCase> all = {
      {{.window = 2048, .longest = 2048, .added = 0}, 1000},
      {{.window = 2048, .longest = 2046, .added = 2}, 9000},
      {{.window = 7, .longest = 6, .added = 1}, 9},
      {{.window = 1, .longest = 1, .added = 0}, 3},
      {{.window = 2, .longest = 0, .added = 2}, 3},
      {{.window = INT32_MAX, .longest = INT32_MAX - 1, .added = 1}, INT32_MAX},
  };
  return all;
}

std::vector<std::uint32_t> draw_stream_lengths(Random& random, std::size_t count, std::uint32_t most) {
  std::vector<std::uint32_t> lengths(count);
  for (std::uint32_t& length : lengths) {
    const std::uint64_t largest = random.below(4) == 0 ? most : std::uint64_t{most} / 8;
    length = static_cast<std::uint32_t>(random.below(largest + 1));
  }
  return lengths;
}

struct FoundCuts {
  std::uint32_t room = 0;
  std::vector<std::uint32_t> rooms;
  std::vector<std::uint32_t> unusual;
};

FoundCuts cuts_by(decltype(find_stream_cuts)* find_cuts, const std::vector<std::uint32_t>& lengths,
                  const StreamRules& rules, std::uint32_t room) {
  FoundCuts found;
  found.rooms.resize(lengths.size() + kStreamStep);
  found.unusual.resize(lengths.size() + kStreamStep);
  const StreamCuts cuts = find_cuts(lengths, rules, room, found.rooms.data(), found.unusual.data());
  found.room = cuts.room;
  found.unusual.resize(cuts.unusual_count);
  return found;
}

// A window for each token at most, so that there is room for all.
std::size_t most_segments(const std::vector<std::uint32_t>& lengths, const StreamRules& rules) {
  std::size_t most = lengths.size() + kSegmentsPerStreamStep + 1;
  for (const std::uint32_t n : lengths) most += n / rules.window + 2;
  return most;
}

struct WrittenStream {
  std::vector<Segment> segments;
  std::vector<std::uint64_t> offsets;
  bool operator==(const WrittenStream&) const = default;
};

WrittenStream stream_by(decltype(write_stream)* write_all, const std::vector<std::uint32_t>& lengths,
                        const FoundCuts& found, const StreamRules& rules) {
  constexpr std::uint64_t kBefore = 5'000'000'000;
  WrittenStream written;
  written.segments.resize(most_segments(lengths, rules));
  written.offsets.resize(most_segments(lengths, rules));
  const TailWriter end = write_all({lengths, found.unusual, found.rooms.data(), 1'000, rules},
                                   {written.segments.data(), written.offsets.data(), kBefore});
  EXPECT_EQ(end.segment() - written.segments.data(), static_cast<std::ptrdiff_t>(end.end() - kBefore));
  written.segments.resize(static_cast<std::size_t>(end.end() - kBefore));
  written.offsets.resize(static_cast<std::size_t>(end.offset() - written.offsets.data()));
  return written;
}

void expect_same_cuts_as_scalar(const std::string& name) {
  Random random(5);
  for (const StreamCase& c : stream_cases()) {
    for (std::size_t count = 0; count <= kMostDocuments; ++count) {
      SCOPED_TRACE(name + ": " + std::to_string(count) + " documents, windows of " +
                   std::to_string(c.rules.window));
      const std::vector<std::uint32_t> lengths = draw_stream_lengths(random, count, c.most_tokens);
      const auto room = static_cast<std::uint32_t>(1 + random.below(c.rules.window));
      const FoundCuts found = cuts_by(find_stream_cuts, lengths, c.rules, room);
      const FoundCuts expected = cuts_by(scalar_find_stream_cuts, lengths, c.rules, room);
      ASSERT_EQ(found.room, expected.room);
      ASSERT_EQ(found.unusual, expected.unusual);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(found.rooms[i], expected.rooms[i]) << i;
      ASSERT_EQ(stream_by(write_stream, lengths, found, c.rules),
                stream_by(scalar_write_stream, lengths, expected, c.rules));
    }
  }
}

TEST(StreamCuts, EveryInstructionSetEqualsScalar) { on_every_target(expect_same_cuts_as_scalar); }

TEST(StreamCuts, RoomsBehindTheLastAreValid) {
  on_every_target([](const std::string& name) {
    for (std::size_t count = 0; count <= kMostDocuments; ++count) {
      const std::vector<std::uint32_t> lengths(count, 3);
      const FoundCuts found =
          cuts_by(find_stream_cuts, lengths, {.window = 10, .longest = 10, .added = 0}, 4);
      for (std::size_t i = count; i < found.rooms.size(); ++i) {
        ASSERT_TRUE(found.rooms[i] >= 1 && found.rooms[i] <= 10) << name << ' ' << count << ' ' << i;
      }
    }
  });
}

// Blocks of documents of which each `every`th is long and the one after it empty.
void append_lengths(std::vector<std::uint32_t>& lengths, std::size_t count, std::size_t every) {
  Random random(every);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_long = i % every == 0;
    const auto n = static_cast<std::uint32_t>(random.below(is_long ? 100'000 : 70) + 1);
    lengths.push_back(i % every == 1 ? 0 : n);
  }
}

Options wrap_with_separators() {
  Options options;
  options.algorithm = Algorithm::wrap;
  options.context_length = 64;
  options.separator_id = 7;
  return options;
}

// The fingerprint, and what the ledger counts.
std::vector<std::uint64_t> summary(const Plan& plan) {
  return {fingerprint(plan), plan.ledger.split_documents, plan.ledger.empty_documents,
          plan.ledger.separators_added, plan.ledger.tokens_dropped};
}

// With a trace each document is placed by itself.
void expect_plan_as_traced(const std::vector<std::uint32_t>& lengths) {
  Documents documents;
  documents.lengths = lengths;
  const auto expected = pack_traced(documents, wrap_with_separators(), 10);
  ASSERT_TRUE(expected);
  on_every_target([&](const std::string& name) {
    const auto plan = pack(documents, wrap_with_separators());
    ASSERT_TRUE(plan);
    EXPECT_EQ(summary(*plan), summary(expected->plan)) << name;
  });
}

TEST(StreamCuts, PlansEqualPlacingOneDocumentAtATime) {
  for (const std::size_t every : {2u, 5u, 20u, 400u}) {
    SCOPED_TRACE(every);
    std::vector<std::uint32_t> lengths;
    append_lengths(lengths, 3'000, every);
    expect_plan_as_traced(lengths);
  }
}

TEST(StreamCuts, PlansStayEqualWhereLongDocumentsBecomeRare) {
  std::vector<std::uint32_t> lengths;
  append_lengths(lengths, 1'500, 2);
  append_lengths(lengths, 20'000, 300);
  append_lengths(lengths, 1'500, 3);
  expect_plan_as_traced(lengths);
}

}  // namespace
}  // namespace packscope
