// SPDX-License-Identifier: MIT
// The core keeps no state of its own: threads that plan, materialize, mask and trace at the same time give
// the same bytes as one alone. Under the thread sanitizer this also says that nothing is shared.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "packscope/packscope.hpp"
#include "random_case.hpp"

#ifndef __EMSCRIPTEN__
#include <thread>

#include "thread_executor.hpp"

namespace packscope_tests {
namespace {

using packscope::Batch;
using packscope::Plan;
using packscope::WindowRange;

constexpr std::size_t kThreads = 4;

void in_threads(const std::function<void(std::size_t)>& body) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, PlanTheSameAtTheSameTime) {
  CaseMaker maker(23);
  for (const packscope::AlgorithmInfo& info : packscope::algorithms()) {
    RandomCase made = maker.make(info.algorithm, 50);
    made.options.long_documents = packscope::LongDocuments::drop;
    const auto expected = packscope::pack_traced(made.documents(), made.options);
    ASSERT_TRUE(expected) << expected.error().message;
    std::vector<char> results(kThreads);  // not bool: threads write beside each other
    in_threads([&](std::size_t i) {
      const auto found = packscope::pack_traced(made.documents(), made.options);
      results[i] = found && found->plan.segments == expected->plan.segments &&
                   found->trace.steps == expected->trace.steps;
    });
    EXPECT_EQ(results, std::vector<char>(kThreads, 1)) << info.name;
  }
}

// As many documents as are shared out, of all lengths up to three windows, some empty.
void enlarge(RandomCase& made, CaseMaker& maker, std::size_t documents) {
  const std::uint32_t longest = maker.number(1, 3) * made.options.context_length;
  made.lengths.resize(documents);
  for (std::uint32_t& length : made.lengths) length = maker.number(0, longest);
  const auto repeat = [&](auto& values) {
    const std::size_t period = values.size();
    if (period == 0) return;
    values.resize(documents);
    for (std::size_t i = period; i < documents; ++i) values[i] = values[i - period];
  };
  repeat(made.sources);
  repeat(made.duplicates);
}

TEST(Threads, OfAnExecutorPlanTheSame) {
  CaseMaker maker(31);
  int shared_out = 0;
  for (int round = 0; round < 4; ++round) {
    for (const auto algorithm :
         {packscope::Algorithm::best_fit_decreasing, packscope::Algorithm::first_fit_decreasing}) {
      RandomCase made = maker.make(algorithm, maker.number(1, 60));
      if (made.options.long_documents == packscope::LongDocuments::error)
        made.options.long_documents = packscope::LongDocuments::split;
      if (round % 2 == 0) made.options.flush_every.reset();
      enlarge(made, maker, 100'000);
      const auto expected = packscope::pack(made.documents(), made.options);
      for (const unsigned width : {1u, 2u, 3u, 8u}) {
        ThreadExecutor executor(width);
        const auto found = packscope::pack(made.documents(), made.options, &executor);
        ASSERT_EQ(bool(found), bool(expected)) << round;
        if (!expected) continue;
        ASSERT_EQ(found->segments, expected->segments) << round << " by " << width;
        ASSERT_EQ(found->window_offsets, expected->window_offsets) << round << " by " << width;
        ASSERT_EQ(found->ledger_by_source, expected->ledger_by_source) << round << " by " << width;
        shared_out += executor.runs();
      }
    }
  }
  EXPECT_GT(shared_out, 25);
}

struct Documents {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> offsets{0};

  explicit Documents(std::size_t count) {
    packscope::Random random(4);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t length = random.below(90);
      for (std::uint64_t k = 0; k < length; ++k)
        tokens.push_back(static_cast<std::int32_t>(random.below(1000)));
      offsets.push_back(tokens.size());
    }
  }

  [[nodiscard]] packscope::Corpus corpus() const {
    packscope::Corpus corpus;
    corpus.tokens = tokens;
    corpus.document_offsets = offsets;
    return corpus;
  }
};

TEST(Threads, MaterializeRangesOfOnePlan) {
  const Documents documents(400);
  packscope::Options options;
  options.context_length = 128;
  packscope::Documents lengths;
  const std::vector<std::uint32_t> counted = packscope::document_lengths(documents.corpus());
  lengths.lengths = counted;
  const Plan plan = *packscope::pack(lengths, options);
  const Batch whole = *packscope::materialize(plan, documents.corpus(), {0, plan.window_count()});
  const std::vector<std::uint8_t> whole_mask =
      *packscope::packed_mask(plan, WindowRange{0, plan.window_count()});

  std::vector<Batch> parts(kThreads);
  std::vector<std::vector<std::uint8_t>> masks(kThreads);
  in_threads([&](std::size_t i) {
    const WindowRange range{plan.window_count() * i / kThreads, plan.window_count() * (i + 1) / kThreads};
    parts[i] = *packscope::materialize(plan, documents.corpus(), range);
    masks[i] = *packscope::packed_mask(plan, range);
  });

  Batch joined;
  std::vector<std::uint8_t> mask;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::size_t i = 0; i < kThreads; ++i) {
    append(joined.input_ids, parts[i].input_ids);
    append(joined.labels, parts[i].labels);
    append(joined.position_ids, parts[i].position_ids);
    append(joined.doc_ids, parts[i].doc_ids);
    append(joined.cu_seqlens, parts[i].cu_seqlens);
    append(mask, masks[i]);
  }
  EXPECT_EQ(joined.input_ids, whole.input_ids);
  EXPECT_EQ(joined.labels, whole.labels);
  EXPECT_EQ(joined.position_ids, whole.position_ids);
  EXPECT_EQ(joined.doc_ids, whole.doc_ids);
  EXPECT_EQ(joined.cu_seqlens, whole.cu_seqlens);
  EXPECT_EQ(mask, whole_mask);
}

}  // namespace
}  // namespace packscope_tests
#endif
