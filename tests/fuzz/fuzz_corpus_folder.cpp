// SPDX-License-Identifier: MIT
// Corpus folders with changed bytes: reading them ends in an answer, and what is read can be packed.
#include "fuzzed_folder.hpp"
#include "input/corpus_folder.hpp"
#include "packscope/packscope.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

// A sound corpus folder that has everything a corpus can have.
class Folder {
 public:
  Folder() {
    native::CorpusData corpus;
    for (const std::uint32_t length : {3u, 9u, 0u, 1u, 5u}) {
      for (std::uint32_t i = 0; i < length; ++i) {
        corpus.tokens.wide().push_back(static_cast<std::int32_t>(i));
        corpus.loss_mask.push_back(i % 2);
      }
      corpus.document_offsets.push_back(corpus.tokens.size());
      corpus.prompt_lengths.push_back(0);
      corpus.sources.push_back(corpus.source_number(length > 3 ? "web" : "books"));
    }
    corpus.tokens_known = true;
    corpus.fields.push_back({"weight", DType::uint8, Buffer<std::byte>(corpus.tokens.size(), std::byte{1})});
    expect(corpus.finish().has_value(), "a corpus in memory has nothing to fail at");
    expect(native::write_corpus(files.path(), corpus, {"input.jsonl"}).has_value(), "the corpus is written");
    files.remember({"corpus.json", "document_offsets.npy", "sources.npy", "tokens.npy"});
    expect(read(), "the corpus is read");
  }

  // Whether the folder is read. Twice in one corpus, so that the second must fit the first.
  bool read() const {
    native::CorpusData corpus;
    const native::ReadOptions options;
    for (int i = 0; i < 2; ++i) {
      if (const Status done = native::read_corpus(files.path(), options, corpus); !done) {
        expect_sound(done.error());
        return false;
      }
    }
    if (const Status finished = corpus.finish(); !finished) return false;
    use(corpus.view());
    return true;
  }

  FuzzedFolder files;

 private:
  // What check_corpus() lets pass is safe to use.
  static void use(const Corpus& corpus) {
    Options options;
    options.context_length = 8;
    options.long_documents = LongDocuments::split;
    if (const Status sound = check_corpus(corpus, options); !sound) return expect_sound(sound.error());
    const std::vector<std::uint32_t> lengths = document_lengths(corpus);
    const Documents documents{
        .lengths = lengths, .sources = corpus.sources, .source_names = corpus.source_names};
    const Result<Plan> plan = pack(documents, options);
    if (!plan) return expect_sound(plan.error());
    expect_value(materialize(*plan, corpus, {0, plan->window_count()}), "what is packed has arrays");
  }
};

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static packscope_fuzz::Folder folder;
  FuzzedDataProvider data(bytes, size);
  folder.files.with_changes(data, [] { folder.read(); });
  return 0;
}
