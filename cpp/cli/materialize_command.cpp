// SPDX-License-Identifier: MIT
// packscope materialize: the last step of a run on many machines. Each writes shards of its own into the
// folder that packscope plan left.
#include <algorithm>

#include "command.hpp"
#include "files/json_writer.hpp"
#include "materialize_step.hpp"
#include "message.hpp"

namespace packscope::cli {
namespace {

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
  Result<std::vector<Shard>> chosen = chosen_shards(arguments, *packed);
  if (!chosen) return chosen.error();
  const auto there = [&](const Shard& shard) { return native::has_shard(folder, shard); };
  chosen->erase(std::remove_if(chosen->begin(), chosen->end(), there), chosen->end());
  Result<native::ReadOptions> reader = reader_from(arguments, manifest.reader);
  if (!reader) return reader.error();
  const auto against = arguments.values.find("against");
  const std::vector<std::string>& inputs =
      against == arguments.values.end() ? manifest.inputs : against->second;
  const Result<std::uint64_t> done =
      materialize_shards(folder, *packed, *chosen, inputs, *std::move(reader), arguments.has("quiet"));
  if (!done) return done.error();

  const std::vector<Shard> all = native::shards_of(packed->plan.window_count(), *manifest.shard_windows);
  const Written written{*done,
                        all.size() - static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), there)),
                        all.size()};
  print(stdout, report(folder, written, arguments.has("json")));
  return kDone;
}

}  // namespace packscope::cli
