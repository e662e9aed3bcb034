// SPDX-License-Identifier: MIT
// Output folders of every kind with changed bytes: reading and verifying them ends in an answer, any plan can
// be drawn or is refused, and one that passes validate() can be used for everything.
#include <array>
#include <optional>

#include "fuzzed_folder.hpp"
#include "output/folder_writer.hpp"
#include "output/plan_reader.hpp"
#include "output/report_json.hpp"
#include "output/shards.hpp"
#include "output/verify.hpp"
#include "packscope/packscope.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

constexpr std::uint32_t kMaxContextLength = 4096;

// A sound output folder with the corpus it was made of.
class Folder {
 public:
  explicit Folder(native::Container container, std::optional<std::uint64_t> shard_windows = {})
      : container_(container), shard_windows_(shard_windows) {
    for (const std::uint32_t length : {3u, 9u, 0u, 1u, 20u, 5u}) {
      for (std::uint32_t i = 0; i < length; ++i)
        corpus_.tokens.wide().push_back(static_cast<std::int32_t>(i));
      corpus_.document_offsets.push_back(corpus_.tokens.size());
    }
    corpus_.tokens_known = true;
    expect(corpus_.finish().has_value(), "a corpus in memory has nothing to fail at");
    write();
    files.remember({"manifest.json", "segment_document.npy", "segment_length.npy", "segment_offset.npy",
                    "window_offsets.npy", "windows.npz", "windows.safetensors", "input_ids.bin",
                    "input_ids.idx", "shard-00000/shard.json"});
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
                                  .fingerprint = fingerprint(*plan),
                                  .stored_as = {.container = container_},
                                  .shard_windows = shard_windows_};
    expect_value(native::write_folder(path(), outcome, {}), "the folder is written");
    if (shard_windows_) {
      const std::vector<native::Shard> shards = native::shards_of(plan->window_count(), *shard_windows_);
      expect_value(native::write_shards(path(), shards, *plan, corpus_, outcome.stored_as, {}),
                   "the shards are written");
    }
    const auto manifest = native::read_manifest(path());
    expect_value(manifest, "the folder's manifest is read");
    expect_value(native::verify_folder(path(), *manifest, corpus_, {}), "the folder is verified");
  }

  native::Container container_;
  std::optional<std::uint64_t> shard_windows_;
  native::CorpusData corpus_;
};

// Drawing asks only that the segments of a window fit it.
void draw_any(const Plan& plan) {
  const Result<PlanOutline> outline = PlanOutline::create(plan);
  if (!outline) return expect_sound(outline.error());
  if (plan.window_count() == 0) return;
  Result<Picture> picture = make_picture(40, 20);
  expect_value(picture, "a small picture is made");
  const FineRange all = fine_range(0, outline->window_length());
  const RowsView rows{fine_range(0, plan.window_count()), all};
  if (const Status drawn = draw_rows(*outline, rows, picture->canvas()); !drawn) expect_sound(drawn.error());
  const MaskView mask{.queries = all, .keys = all};
  if (const Status drawn = draw_mask(*outline, mask, picture->canvas()); !drawn) expect_sound(drawn.error());
}

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
    draw_any(*plan);
    use_if_valid(*plan, folder.corpus());
  } else {
    expect_sound(plan.error());
  }
  const auto intact = native::verify_files(folder.path(), *manifest);
  if (!intact) expect_sound(intact.error());
  const auto verified = native::verify_folder(folder.path(), *manifest, folder.corpus(), {});
  if (!verified) return expect_sound(verified.error());
  expect_value(intact, "what verifies against its input verifies without");
  expect(plan && fingerprint_text(fingerprint(*plan)) == manifest->fingerprint, "what verifies is that plan");
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using packscope::native::Container;
  using packscope_fuzz::Folder;
  static std::array<Folder, 5> folders{Folder{Container::npy}, Folder{Container::npz},
                                       Folder{Container::safetensors}, Folder{Container::megatron},
                                       Folder{Container::npy, 2}};
  FuzzedDataProvider data(bytes, size);
  Folder& folder = folders[data.ConsumeIntegralInRange<std::size_t>(0, folders.size() - 1)];
  folder.files.with_changes(data, [&] { packscope_fuzz::read_folder(folder); });
  return 0;
}
