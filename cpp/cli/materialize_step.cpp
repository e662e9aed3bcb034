// SPDX-License-Identifier: MIT
#include "materialize_step.hpp"

#include <algorithm>

#include "message.hpp"

namespace packscope::cli {
namespace {

using native::bad_data;
using native::Shard;

// What the manifest says of the plan holds, so that its numbers can be followed.
Status check_plan(const std::string& folder, const native::PackedFolder& packed) {
  const std::uint64_t documents = packed.plan.ledger.documents;
  const auto beyond = [&](const Segment& segment) { return segment.document >= documents; };
  const Buffer<Segment>& segments = packed.plan.segments;
  const bool sound = fingerprint_text(fingerprint(packed.plan)) == packed.manifest.fingerprint &&
                     std::none_of(segments.begin(), segments.end(), beyond);
  if (sound) return {};
  return bad_data(folder,
                  ": its plan is not the one of its manifest; the folder is damaged. Make the plan again");
}

std::vector<std::uint8_t> documents_in(const Plan& plan, const std::vector<Shard>& shards) {
  std::vector<std::uint8_t> needed(plan.ledger.documents);
  for (const Shard& shard : shards) {
    for (std::uint64_t window = shard.windows.first; window < shard.windows.last; ++window) {
      for (const Segment& segment : plan.window(window)) needed[segment.document] = 1;
    }
  }
  return needed;
}

// The plan's documents are those of this input.
Status check_input(const Plan& plan, const native::CorpusData& corpus) {
  const Ledger& ledger = plan.ledger;
  if (ledger.documents == corpus.document_count() && ledger.tokens == corpus.token_count()) return {};
  return bad_data("the input has ", corpus.document_count(), " documents and ", corpus.token_count(),
                  " tokens, the plan was made of ", ledger.documents, " and ", ledger.tokens,
                  "; is it the same input?");
}

}  // namespace

Result<std::uint64_t> materialize_shards(const std::string& folder, const native::PackedFolder& packed,
                                         const std::vector<Shard>& shards,
                                         const std::vector<std::string>& inputs, native::ReadOptions reader,
                                         bool quiet) {
  if (Status sound = check_plan(folder, packed); !sound) return sound.error();
  if (shards.empty()) return std::uint64_t{0};

  const Options& options = packed.manifest.options;
  const std::vector<std::uint8_t> needed = documents_in(packed.plan, shards);
  reader.needed_documents = &needed;
  reader.vocab_size = options.vocab_size;
  Result<native::CorpusData> corpus = read_documents(inputs, reader, options, quiet);
  if (!corpus) return corpus.error();
  if (Status same = check_input(packed.plan, *corpus); !same) return same.error();
  Progress progress("writing", "windows", quiet);
  const native::WorkShare share{
      reader.threads, [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); }};
  Status written =
      native::write_shards(folder, shards, packed.plan, *corpus, packed.manifest.stored_as, share);
  if (!written) return written.error();
  return std::uint64_t{shards.size()};
}

}  // namespace packscope::cli
