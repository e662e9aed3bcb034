// SPDX-License-Identifier: MIT
// Plain text, lengths and histograms of any bytes: an error, or a corpus that keeps its promises.
#include "fuzz_input.hpp"
#include "input/corpus_data.hpp"
#include "input/lengths_reader.hpp"
#include "input/read_input.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

// A histogram stays small: what is counted is not there.
void expect_sound_histogram(native::CorpusData& corpus, const native::ReadOptions& flags) {
  const Result<HistogramPlan> plan = pack_histogram(corpus.histogram, {});
  if (!plan) {
    expect_sound(plan.error());
  } else {
    const Ledger& ledger = plan->ledger;
    expect(ledger.tokens == plan->stats.real_tokens + ledger.tokens_dropped,
           "tokens in = tokens in windows + dropped");
  }
  if (!flags.limit_documents) return;
  if (const Status expanded = native::expand_histogram(flags, corpus); !expanded) {
    return expect_sound(expanded.error());
  }
  expect(corpus.document_count() <= *flags.limit_documents, "limit_documents holds");
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace packscope_fuzz;
  FuzzedDataProvider data(bytes, size);
  native::ReadOptions flags;
  flags.input = data.PickValueInArray({native::InputKind::text, native::InputKind::text_files,
                                       native::InputKind::lengths, native::InputKind::histogram});
  if (data.ConsumeBool()) flags.limit_documents = data.ConsumeIntegralInRange<std::uint64_t>(0, 1000);
  const std::string first = data.ConsumeRandomLengthString();
  const MemoryFile file(first);
  const MemoryFile other(data.ConsumeRemainingBytesAsString());
  const std::string paths[] = {file.path(), other.path()};
  auto corpus = native::read_input(paths, flags, {});
  if (!corpus) {
    expect_sound(corpus.error());
  } else if (*flags.input == native::InputKind::histogram) {
    expect_sound_histogram(*corpus, flags);
  } else {
    expect_value(check_corpus(corpus->view(), {}), "what a reader gives passes check_corpus()");
  }
  return 0;
}
