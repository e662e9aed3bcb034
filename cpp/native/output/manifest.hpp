// SPDX-License-Identifier: MIT
// manifest.json of an output folder: how it was made, what is in it, what happened to every token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "files/array_entries.hpp"
#include "input/corpus_data.hpp"
#include "input/read_options.hpp"
#include "output/stored_as.hpp"
#include "packscope/plan.hpp"
#include "packscope/stats.hpp"

namespace packscope::native {

inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::string_view kLedgerName = "ledger.jsonl";  // beside it, on request
inline constexpr std::uint64_t kManifestVersion = 1;

// What a plan was made of and what came out, as the report and the manifest tell it.
struct Outcome {
  InputKind kind = InputKind::jsonl;
  std::vector<std::string> inputs;  // as given
  const ReadOptions* reader = nullptr;
  const CorpusData* corpus = nullptr;
  const Plan* plan = nullptr;
  const Stats* stats = nullptr;
  std::uint64_t fingerprint = 0;
  bool plan_only = false;
  StoredAs stored_as;
  std::optional<std::uint64_t> shard_windows;        // none: the arrays of windows stand beside the plan's
  const std::vector<DocumentFate>* fates = nullptr;  // --ledger-ids: documents not packed whole
};

std::string manifest_text(const Outcome& outcome, const std::vector<ArrayEntry>& arrays);

// It has its name when it is on the disk, as everything it lists must be.
Status write_manifest(const std::string& folder, const std::string& text);

// `asked`: what does not depend on the input's documents.
enum class ManifestPart : std::uint8_t { all, asked };

// Whether an unfinished output, where the folder has one, was made by a run with the same manifest: otherwise
// its shards cannot be kept.
Status check_unfinished(const std::string& folder, std::string_view manifest, ManifestPart part);
Error made_otherwise(const std::string& folder);

// A manifest as read back.
struct Manifest {
  std::string packscope_version;
  Options options;
  ReadOptions reader;
  std::vector<std::string> inputs;
  std::vector<ArrayEntry> arrays;
  Ledger ledger;
  std::vector<std::string> source_names;
  std::vector<Ledger> ledger_by_source;
  Stats stats;
  std::string fingerprint;
  bool plan_only = false;
  StoredAs stored_as;
  std::optional<std::uint64_t> shard_windows;
};

// Reads FOLDER/manifest.json. Errors where it is missing, not ours, or of a newer format.
Result<Manifest> read_manifest(const std::string& folder);

// Version of the program, from its build.
std::string_view version_text();

}  // namespace packscope::native
