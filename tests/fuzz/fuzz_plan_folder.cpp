// SPDX-License-Identifier: MIT
// Output folders with changed bytes: reading and verifying them ends in an answer, and a plan that passes
// validate() can be used for everything.
#include "fuzzed_folder.hpp"
#include "output/folder_writer.hpp"
#include "output/plan_reader.hpp"
#include "output/report_json.hpp"
#include "output/verify.hpp"
#include "packscope/packscope.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

constexpr std::uint32_t kMaxContextLength = 4096;

// A sound output folder with the corpus it was made of.
class Folder {
 public:
  Folder() {
    for (const std::uint32_t length : {3u, 9u, 0u, 1u, 20u, 5u}) {
      for (std::uint32_t i = 0; i < length; ++i) corpus_.tokens.push_back(static_cast<std::int32_t>(i));
      corpus_.document_offsets.push_back(corpus_.tokens.size());
    }
    corpus_.tokens_known = true;
    expect(corpus_.finish().has_value(), "a corpus in memory has nothing to fail at");
    write();
    files.remember();
  }

  [[nodiscard]] std::string path() const { return files.path(); }
  [[nodiscard]] const native::CorpusData& corpus() const { return corpus_; }

  FuzzedFolder files;

 private:
  void write() {
    Options options;
    options.context_length = 8;
    options.algorithm = Algorithm::best_fit;
    options.long_documents = LongDocuments::split;
    const Result<Plan> plan = pack({.lengths = document_lengths(corpus_.view())}, options);
    expect_value(plan, "the folder's plan is made");
    const Result<Stats> made = stats(*plan, corpus_.view());
    expect_value(made, "the folder's plan has stats");
    const native::ReadOptions reader;
    const native::Outcome outcome{.inputs = {"input.jsonl"},
                                  .reader = &reader,
                                  .corpus = &corpus_,
                                  .plan = &*plan,
                                  .stats = &*made,
                                  .fingerprint = fingerprint(*plan)};
    expect_value(native::write_folder(path(), outcome, {}), "the folder is written");
    const auto manifest = native::read_manifest(path());
    expect_value(manifest, "the folder's manifest is read");
    expect_value(native::verify_folder(path(), *manifest, corpus_, {}), "the folder is verified");
  }

  native::CorpusData corpus_;
};

// Whatever the fingerprint says: what validate() lets pass is safe to use.
void use_if_valid(const Plan& plan, const native::CorpusData& corpus) {
  const Corpus view = corpus.view();
  const std::vector<std::uint32_t> lengths = document_lengths(view);
  const Documents documents{.lengths = lengths};
  if (const Status valid = validate(plan, documents); !valid) return expect_sound(valid.error());
  expect_value(stats(plan, documents), "a valid plan has stats");
  if (plan.options.context_length > kMaxContextLength) return;
  if (const auto batch = materialize(plan, view, {0, plan.window_count()}); !batch)
    expect_sound(batch.error());
  for (std::uint64_t w = 0; w < plan.window_count(); ++w) {
    expect_value(count_blocks(plan, {w, w + 1}), "a valid plan has masks");
  }
}

void read_folder(const Folder& folder) {
  const auto manifest = native::read_manifest(folder.path());
  if (!manifest) return expect_sound(manifest.error());
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object();
  native::write_options(json.key("options"), manifest->options);
  native::write_stats(json.key("stats"), manifest->stats);
  json.end_object();
  const auto plan = native::read_plan(folder.path(), *manifest);
  if (plan) {
    use_if_valid(*plan, folder.corpus());
  } else {
    expect_sound(plan.error());
  }
  const auto verified = native::verify_folder(folder.path(), *manifest, folder.corpus(), {});
  if (!verified) return expect_sound(verified.error());
  expect(plan && fingerprint_text(fingerprint(*plan)) == manifest->fingerprint, "what verifies is that plan");
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static packscope_fuzz::Folder folder;
  FuzzedDataProvider data(bytes, size);
  folder.files.with_changes(data,
                            {"manifest.json", "segment_document.npy", "segment_length.npy",
                             "segment_offset.npy", "window_offsets.npy"},
                            [] { packscope_fuzz::read_folder(folder); });
  return 0;
}
