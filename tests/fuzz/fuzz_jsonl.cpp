// SPDX-License-Identifier: MIT
// JSON lines of any bytes under any of the reader's flags: an error, or a corpus that keeps its promises.
#include "fuzz_input.hpp"
#include "input/corpus_data.hpp"
#include "input/read_input.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

native::ReadOptions choose_flags(FuzzedDataProvider& data) {
  native::ReadOptions flags;
  flags.input = native::InputKind::jsonl;
  const auto sometimes = [&](std::string& field, const char* name) {
    if (data.ConsumeBool()) field = name;
  };
  switch (data.ConsumeIntegralInRange(0, 3)) {
    case 0:
      flags.text_fields = {"a", "b"};
      break;
    case 1:
      flags.prompt_field = "a";
      flags.completion_field = "b";
      break;
    default:
      sometimes(flags.tokens_field, "t");
  }
  sometimes(flags.loss_mask_field, "m");
  sometimes(flags.prompt_length_field, "p");
  sometimes(flags.source_field, "s");
  sometimes(flags.labels_field, "l");
  flags.keep_records = data.ConsumeBool();
  if (data.ConsumeBool()) flags.ignored_fields = {"x"};
  if (data.ConsumeBool()) flags.limit_documents = data.ConsumeIntegralInRange<std::uint64_t>(0, 3);
  if (data.ConsumeBool()) flags.vocab_size = data.ConsumeIntegralInRange(1u, 300u);
  return flags;
}

// Without keeping tokens the reader refuses and counts the same.
void expect_same_lengths(const std::string& path, native::ReadOptions flags,
                         const Result<native::CorpusData>& kept) {
  flags.lengths_only = true;
  const std::string paths[] = {path};
  const auto counted = native::read_input(paths, flags, {});
  if (!kept || !counted) {
    expect(!kept && !counted && kept.error().message == counted.error().message, "the same errors");
    return;
  }
  expect(counted->document_offsets == kept->document_offsets, "the same lengths");
  expect(counted->prompt_lengths == kept->prompt_lengths && counted->loss_mask == kept->loss_mask,
         "the same targets");
  expect(counted->sources == kept->sources, "the same sources");
}

void expect_sound_corpus(const native::CorpusData& corpus, const native::ReadOptions& flags) {
  Options options;
  options.vocab_size = flags.vocab_size;
  expect_value(check_corpus(corpus.view(), options), "what a reader gives passes check_corpus()");
  expect(corpus.document_count() <= flags.limit_documents.value_or(UINT64_MAX), "limit_documents holds");
  if (!flags.keep_records) return;
  expect(corpus.records.offsets.size() == corpus.document_count() + 1, "every document keeps its record");
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace packscope_fuzz;
  FuzzedDataProvider data(bytes, size);
  const native::ReadOptions flags = choose_flags(data);
  const MemoryFile file(data.ConsumeRemainingBytesAsString());
  const std::string paths[] = {file.path()};
  const auto corpus = native::read_input(paths, flags, {});
  if (corpus) {
    expect_sound_corpus(*corpus, flags);
  } else {
    expect_sound(corpus.error());
  }
  expect_same_lengths(file.path(), flags, corpus);
  return 0;
}
