// SPDX-License-Identifier: MIT
// Every row of the registry against the oracle, for all short windows, random documents and random
// options; and what must hold of any plan: conservation, validity, bounds, and independence of the way in.
#include "oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <map>

#include "cpp/random_case.hpp"
#include "packscope/algorithms.hpp"
#include "packscope/pack.hpp"
#include "packscope/stats.hpp"
#include "packscope/validate.hpp"

namespace packscope_tests {
namespace {

using packscope::Ledger;
using packscope::Plan;
using packscope::Result;
using packscope::Segment;
using packscope::WindowList;

constexpr std::uint32_t kLongestWindow = 300;
constexpr int kCasesPerLength = 15;

std::string text_of(const std::vector<std::vector<Segment>>& windows) {
  std::string text;
  for (const auto& window : windows) {
    text += "[";
    for (const Segment& segment : window) {
      text += " " + std::to_string(segment.document) + "@" + std::to_string(segment.document_offset) + "+" +
              std::to_string(segment.length);
    }
    text += " ]";
  }
  return text;
}

std::string text_of(const Ledger& ledger) {
  return "documents " + std::to_string(ledger.documents) + " tokens " + std::to_string(ledger.tokens) +
         " empty " + std::to_string(ledger.empty_documents) + " dropped " +
         std::to_string(ledger.dropped_documents) + " truncated " +
         std::to_string(ledger.truncated_documents) + " split " + std::to_string(ledger.split_documents) +
         " duplicate " + std::to_string(ledger.duplicate_documents) + " tokens_dropped " +
         std::to_string(ledger.tokens_dropped) + " separators " + std::to_string(ledger.separators_added) +
         " filler " + std::to_string(ledger.filler_windows);
}

std::vector<std::vector<Segment>> lists(const WindowList& windows) {
  std::vector<std::vector<Segment>> all;
  for (std::uint64_t w = 0; w < windows.window_count(); ++w) {
    const auto window = windows.window(w);
    all.emplace_back(window.begin(), window.end());
  }
  return all;
}

std::string difference(const char* what, const std::string& made, const std::string& wanted) {
  return made == wanted ? "" : std::string(what) + "\n  core:   " + made + "\n  oracle: " + wanted + "\n";
}

// A property is a function of a case that returns what is wrong, or nothing.
using Property = std::string (*)(const RandomCase&);

// long_documents=error names the first long document read; of shuffled ones, any of them.
std::string refuses(const Result<Plan>& made, const RandomCase& given, std::uint64_t document) {
  if (made) return "should be refused for document " + std::to_string(document);
  if (made.error().code != packscope::ErrorCode::document_too_long) return made.error().message;
  if (given.options.shuffle_documents) return "";
  return difference("refused document", std::to_string(made.error().document), std::to_string(document));
}

std::string equals_oracle(const RandomCase& given) {
  const auto wanted = packscope_oracle::plan(given.documents(), given.options);
  const Result<Plan> made = packscope::pack(given.documents(), given.options);
  if (wanted.refused_document) return refuses(made, given, *wanted.refused_document);
  if (!made) return made.error().message;
  std::string wrong = difference("windows", text_of(lists(*made)), text_of(wanted.windows));
  wrong += difference("ledger", text_of(made->ledger), text_of(wanted.ledger));
  if (made->ledger_by_source.size() != wanted.ledger_by_source.size()) return wrong + "sources in the ledger";
  for (std::size_t i = 0; i < wanted.ledger_by_source.size(); ++i) {
    wrong += difference("ledger of a source", text_of(made->ledger_by_source[i]),
                        text_of(wanted.ledger_by_source[i]));
  }
  return wrong;
}

std::string keeps_every_promise(const RandomCase& given) {
  const Result<Plan> made = packscope::pack(given.documents(), given.options);
  if (!made) return "";
  if (const auto valid = packscope::validate(*made, given.documents()); !valid) return valid.error().message;
  std::uint64_t stored = 0;
  for (const Segment& segment : made->segments) stored += segment.length;
  const Ledger& ledger = made->ledger;
  if (ledger.tokens != stored - ledger.separators_added + ledger.tokens_dropped) return "tokens are lost";
  return "";
}

std::string has_true_stats(const RandomCase& given) {
  const Result<Plan> made = packscope::pack(given.documents(), given.options);
  if (!made) return "";
  const auto stats = packscope::stats(*made, given.documents());
  if (!stats) return stats.error().message;

  std::uint64_t real = 0, squares = 0;
  for (const Segment& segment : made->segments) {
    real += segment.length;
    squares += std::uint64_t{segment.length} * segment.length;
  }
  const std::uint64_t windows = made->window_count();
  const std::uint64_t filled = windows - made->ledger.filler_windows;
  const std::uint64_t positions = filled * packscope::stored_window_length(given.options);
  if (stats->windows != windows) return "windows";
  if (stats->segments != made->segments.size()) return "segments";
  if (stats->real_tokens != real) return "real_tokens";
  if (stats->padding_tokens != positions - real) return "padding_tokens";
  if (stats->sum_squared_lengths != squares) return "sum_squared_lengths";
  if (stats->lower_bound > filled) {
    return "lower bound " + std::to_string(stats->lower_bound) + " above " + std::to_string(filled);
  }
  return "";
}

std::string names_every_fate(const RandomCase& given) {
  const Result<Plan> made = packscope::pack(given.documents(), given.options);
  if (!made) return "";
  using Kind = packscope::DocumentFate::Kind;
  std::map<Kind, std::uint64_t> counts;
  std::uint64_t tokens = 0, next_document = 0;
  for (const packscope::DocumentFate& fate : packscope::document_fates(*made, given.documents())) {
    if (fate.document < next_document) return "documents do not ascend";
    next_document = fate.document;
    tokens += fate.tokens_dropped;
    ++counts[fate.kind];
  }
  if (counts[Kind::empty] != made->ledger.empty_documents) return "empty";
  if (counts[Kind::dropped] != made->ledger.dropped_documents) return "dropped";
  if (counts[Kind::truncated] != made->ledger.truncated_documents) return "truncated";
  if (counts[Kind::duplicate] != made->ledger.duplicate_documents) return "duplicate";
  if (tokens != made->ledger.tokens_dropped) return "tokens_dropped";
  return "";
}

// Gives the packer names until it has `count` of them.
packscope::Status name_sources(packscope::Packer& packer, const RandomCase& given, std::size_t& named,
                               std::size_t count) {
  for (; named < count; ++named) {
    if (auto added = packer.add_source(given.source_names[named]); !added) return added;
  }
  return {};
}

// Pushes `chunk` documents at a time and takes what has closed after every `every`-th push. Sources are named
// at the beginning, or with `named_late` before the first document that has them.
Result<Plan> pack_in_pieces(const RandomCase& given, std::size_t chunk, std::size_t every, bool named_late) {
  using Names = std::vector<std::string>;
  std::size_t named = named_late ? 0 : given.source_names.size();
  auto packer = packscope::Packer::create(given.options, named_late ? Names() : given.source_names);
  if (!packer) return packer.error();
  WindowList taken;
  const auto append = [&taken](const WindowList& more) {
    for (std::uint64_t w = 0; w < more.window_count(); ++w) {
      const auto window = more.window(w);
      taken.segments.insert(taken.segments.end(), window.begin(), window.end());
      taken.window_offsets.push_back(taken.segments.size());
    }
  };
  const auto piece = [chunk](const auto& values, std::size_t begin) {
    const auto all = std::span(values);
    return all.empty() ? all : all.subspan(begin, std::min(chunk, all.size() - begin));
  };
  for (std::size_t begin = 0, pushes = 1; begin < given.lengths.size(); begin += chunk, ++pushes) {
    for (const std::uint32_t source : piece(given.sources, begin)) {
      const std::size_t needed = given.source_names.empty() ? 0 : source + 1;
      if (auto added = name_sources(*packer, given, named, needed); !added) return added.error();
    }
    const auto pushed = packer->push(piece(given.lengths, begin), piece(given.sources, begin),
                                     piece(given.duplicates, begin));
    if (!pushed) return pushed.error();
    if (pushes % every == 0) append(packer->take_closed());
  }
  if (auto added = name_sources(*packer, given, named, given.source_names.size()); !added)
    return added.error();
  packer->finish();
  if (every % 2 == 0) append(packer->take_closed());
  Plan plan = packer->take_plan();
  append(plan);
  static_cast<WindowList&>(plan) = std::move(taken);
  return plan;
}

std::string is_the_same_in_pieces(const RandomCase& given) {
  if (given.options.shuffle_documents || given.options.shuffle_windows) return "";
  const Result<Plan> whole = packscope::pack(given.documents(), given.options);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
    const Result<Plan> made = pack_in_pieces(given, chunk, chunk % 3 + 1, chunk % 2 == 0);
    if (made.has_value() != whole.has_value()) return "refused in one way only";
    if (!made) continue;
    if (made->segments != whole->segments || made->window_offsets != whole->window_offsets ||
        made->ledger != whole->ledger || made->ledger_by_source != whole->ledger_by_source) {
      return "differs when pushed " + std::to_string(chunk) +
             " at a time\n  pieces: " + text_of(lists(*made)) + "\n  whole:  " + text_of(lists(*whole));
    }
  }
  return "";
}

class EveryAlgorithm : public testing::TestWithParam<packscope::Algorithm> {
 protected:
  // Stops at the first failure, made as small as it will go.
  static void expect_always(Property property, std::uint64_t seed) {
    CaseMaker maker(seed + static_cast<std::uint64_t>(GetParam()));
    for (std::uint32_t context_length = 1; context_length <= kLongestWindow; ++context_length) {
      for (int i = 0; i < kCasesPerLength; ++i) {
        const RandomCase given = maker.make(GetParam(), context_length);
        const auto valid = packscope::check_options(given.options);
        ASSERT_TRUE(valid.has_value()) << valid.error().message;
        if (property(given).empty()) continue;
        const RandomCase small =
            shrink(given, [property](const RandomCase& smaller) { return !property(smaller).empty(); });
        FAIL() << property(small) << "seed " << seed << ": " << describe(small);
      }
    }
  }
};

TEST_P(EveryAlgorithm, PlansLikeTheOracle) { expect_always(equals_oracle, 101); }
TEST_P(EveryAlgorithm, LosesNothingAndValidates) { expect_always(keeps_every_promise, 202); }
TEST_P(EveryAlgorithm, NamesEveryFate) { expect_always(names_every_fate, 505); }
TEST_P(EveryAlgorithm, CountsTrueStats) { expect_always(has_true_stats, 303); }
TEST_P(EveryAlgorithm, PlansTheSameInPieces) { expect_always(is_the_same_in_pieces, 404); }

TEST(PlannedEnd, IsWhereTheLastTokenStands) {
  packscope::Options options;
  options.context_length = 8;
  EXPECT_EQ(packscope::planned_end(options, 0), 0u);
  EXPECT_EQ(packscope::planned_end(options, 8), 8u);
  EXPECT_EQ(packscope::planned_end(options, 9), 0u) << "dropped";
  options.long_documents = packscope::LongDocuments::split;
  EXPECT_EQ(packscope::planned_end(options, 9), 9u);
  options.long_documents = packscope::LongDocuments::truncate;
  options.separator_id = 1;
  EXPECT_EQ(packscope::planned_end(options, 9), 7u) << "the separator takes the last place";
  options.long_documents = packscope::LongDocuments::truncate_left;
  options.bos_id = 2;
  EXPECT_EQ(packscope::planned_end(options, 9), 10u) << "offsets count BOS";
}

TEST(Packer, RefusesShufflesThatNeedEveryDocumentFirst) {
  for (const char* name : {"shuffle_documents", "shuffle_windows"}) {
    packscope::Options options;
    ASSERT_TRUE(packscope::set_option(options, name, "true").has_value());
    const auto packer = packscope::Packer::create(options);
    ASSERT_FALSE(packer.has_value());
    EXPECT_EQ(packer.error().code, packscope::ErrorCode::invalid_option);
    EXPECT_NE(packer.error().message.find(name), std::string::npos) << packer.error().message;
  }
}

std::string algorithm_name(const testing::TestParamInfo<packscope::Algorithm>& info) {
  return std::string(packscope::algorithm_info(info.param).name);
}

std::vector<packscope::Algorithm> all_algorithms() {
  std::vector<packscope::Algorithm> all;
  for (const packscope::AlgorithmInfo& row : packscope::algorithms()) all.push_back(row.algorithm);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, testing::ValuesIn(all_algorithms()), algorithm_name);

}  // namespace
}  // namespace packscope_tests
