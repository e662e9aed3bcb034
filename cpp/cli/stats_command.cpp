// SPDX-License-Identifier: MIT
// packscope stats: the report of an output folder, from its manifest.
#include "command.hpp"
#include "message.hpp"
#include "output/manifest.hpp"
#include "output/report_json.hpp"
#include "report.hpp"

namespace packscope::cli {
namespace {

std::string stats_json(const std::string& folder, const native::Manifest& manifest) {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object()
      .member("command", "stats")
      .member("fingerprint", manifest.fingerprint)
      .member("output", folder);
  native::write_options(json.key("options"), manifest.options);
  native::write_stats(json.key("stats"), manifest.stats);
  native::write_ledger(json.key("ledger"), manifest.ledger);
  Plan by_source;
  by_source.source_names = manifest.source_names;
  by_source.ledger_by_source = manifest.ledger_by_source;
  native::write_ledger_by_source(json.key("ledger_by_source"), by_source);
  json.end_object();
  return json.text() + "\n";
}

std::string names(const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& input : inputs) text += (text.empty() ? "" : ", ") + input;
  return text;
}

}  // namespace

Result<int> run_stats(const Arguments& arguments) {
  if (arguments.operands.size() != 1)
    return native::bad_usage("stats needs one output folder of packscope pack");
  const std::string& folder = arguments.operands[0];
  Result<native::Manifest> manifest = native::read_manifest(folder);
  if (!manifest) return manifest.error();
  if (arguments.has("json")) {
    print(stdout, stats_json(folder, *manifest));
    return kDone;
  }
  const Report report{.options = &manifest->options,
                      .ledger = &manifest->ledger,
                      .stats = &manifest->stats,
                      .fingerprint = manifest->fingerprint,
                      .input = names(manifest->inputs),
                      .output = folder + ", " + counted(manifest->arrays.size(), "array"),
                      .times = {}};
  print(stdout, report_text(report));
  return kDone;
}

}  // namespace packscope::cli
