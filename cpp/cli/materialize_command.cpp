// SPDX-License-Identifier: MIT
// packscope materialize: the last step of a run on many machines. Each writes shards of its own into the
// folder that packscope plan left.
#include <algorithm>

#include "command.hpp"
#include "json_writer.hpp"
#include "lengths_reader.hpp"
#include "message.hpp"
#include "plan_reader.hpp"
#include "shards.hpp"

namespace packscope::cli {
namespace {

using native::bad_data;
using native::bad_usage;
using native::Shard;

// Those of --windows, or all of them.
Result<std::vector<Shard>> chosen_shards(const Arguments& arguments, const native::PackedFolder& packed) {
  const std::uint64_t windows = packed.plan.window_count();
  const std::uint64_t step = *packed.manifest.shard_windows;
  std::vector<Shard> shards = native::shards_of(windows, step);
  if (!arguments.has("windows")) return shards;
  Result<WindowRange> range = windows_from(arguments, windows);
  if (!range) return range.error();
  const auto is_edge = [&](std::uint64_t window) { return window % step == 0 || window == windows; };
  if (!is_edge(range->first) || !is_edge(range->last)) {
    return bad_usage("--windows ", arguments.get("windows"), " cuts a shard; the plan has shards of ", step,
                     " windows, so both ends must be multiples of ", step, " or the last, ", windows);
  }
  const auto outside = [&](const Shard& shard) {
    return shard.windows.first < range->first || shard.windows.last > range->last;
  };
  shards.erase(std::remove_if(shards.begin(), shards.end(), outside), shards.end());
  return shards;
}

std::vector<Shard> missing_of(const std::string& folder, std::vector<Shard> shards) {
  const auto there = [&](const Shard& shard) { return native::has_shard(folder, shard); };
  shards.erase(std::remove_if(shards.begin(), shards.end(), there), shards.end());
  return shards;
}

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

struct Written {
  std::uint64_t shards = 0;
  std::uint64_t missing = 0;  // of the whole folder, afterwards
  std::uint64_t all = 0;
};

std::string report(const std::string& folder, const Written& written, bool as_json) {
  if (!as_json) {
    return folder + ": wrote " + counted(written.shards, "shard") + "; " +
           (written.missing == 0
                ? "all " + thousands(written.all) + " are there"
                : thousands(written.missing) + " of " + thousands(written.all) + " are missing") +
           "\n";
  }
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object()
      .member("command", "materialize")
      .member("output", folder)
      .member("shards_written", written.shards)
      .member("shards_missing", written.missing)
      .member("shards", written.all)
      .end_object();
  return json.text() + "\n";
}

}  // namespace

Result<int> run_materialize(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  if (arguments.operands.size() != 1) {
    return bad_usage("materialize needs the folder of a plan: packscope materialize PLAN [--windows A:B]");
  }
  const std::string& folder = arguments.operands[0];
  Result<native::PackedFolder> packed = native::read_packed_folder(folder);
  if (!packed) return packed.error();
  const native::Manifest& manifest = packed->manifest;
  if (!manifest.shard_windows) {
    return bad_usage(folder, " has no shards to write; packscope plan INPUT -o PLAN makes a folder that has");
  }
  if (Status sound = check_plan(folder, *packed); !sound) return sound.error();
  Result<std::vector<Shard>> chosen = chosen_shards(arguments, *packed);
  if (!chosen) return chosen.error();
  const std::vector<Shard> shards = missing_of(folder, *chosen);

  const Plan& plan = packed->plan;
  if (!shards.empty()) {
    Result<native::ReadOptions> reader = reader_from(arguments, manifest.reader);
    if (!reader) return reader.error();
    reader->vocab_size = manifest.options.vocab_size;
    const std::vector<std::uint8_t> needed = documents_in(plan, shards);
    reader->needed_documents = &needed;
    const auto against = arguments.values.find("against");
    const std::vector<std::string>& inputs =
        against == arguments.values.end() ? manifest.inputs : against->second;
    Result<native::CorpusData> corpus = read_with_progress(inputs, *reader, manifest.options, quiet);
    if (!corpus) return corpus.error();
    if (!corpus->histogram.empty()) {
      if (Status expanded = native::expand_histogram(*reader, *corpus); !expanded) return expanded.error();
    }
    if (Status same = check_input(plan, *corpus); !same) return same.error();
    Progress progress("writing", "windows", quiet);
    const native::WorkShare share{
        reader->threads, [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); }};
    Status written = native::write_missing_shards(folder, shards, plan, *corpus, share);
    if (!written) return written.error();
  }
  const std::vector<Shard> all = native::shards_of(plan.window_count(), *manifest.shard_windows);
  const Written written{shards.size(), missing_of(folder, all).size(), all.size()};
  print(stdout, report(folder, written, arguments.has("json")));
  return kDone;
}

}  // namespace packscope::cli
