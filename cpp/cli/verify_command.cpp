// SPDX-License-Identifier: MIT
// packscope verify: an output folder against the input it was made of.
#include "output/verify.hpp"

#include "command.hpp"
#include "files/json_writer.hpp"
#include "message.hpp"

namespace packscope::cli {
namespace {

std::string verified_json(const std::string& folder, const native::Manifest& manifest,
                          const native::Verified& verified) {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object()
      .member("command", "verify")
      .member("output", folder)
      .member("verified", true)
      .member("token_by_token", verified.token_by_token)
      .member("windows", verified.windows)
      .member("tokens", verified.tokens)
      .member("tokens_dropped", manifest.ledger.tokens_dropped)
      .member("arrays", verified.arrays)
      .member("fingerprint", manifest.fingerprint)
      .end_object();
  return json.text() + "\n";
}

std::string verified_text(const std::string& folder, const native::Manifest& manifest,
                          const native::Verified& verified) {
  const std::uint64_t dropped = manifest.ledger.tokens_dropped;
  const std::string tokens = counted(verified.tokens, "token");
  std::string text = folder + ": verified\n  " + tokens;
  if (verified.token_by_token) {
    text += ": " + thousands(verified.tokens - dropped) + " stand in exactly one place, " +
            thousands(dropped) + " dropped as the ledger says\n";
  } else {
    text += manifest.plan_only ? ": each in exactly one segment or dropped as the ledger says\n"
                               : " known by their documents' lengths alone\n";
  }
  text += "  " + counted(verified.windows, "window") + ", " + counted(verified.arrays, "array") +
          " equal to what the input gives\n";
  return text + "  fingerprint " + manifest.fingerprint + "\n";
}

// Whether the files are those that were written, without the input.
Result<int> verify_alone(const std::string& folder, const native::Manifest& manifest, bool as_json) {
  const Result<native::Verified> verified = native::verify_files(folder, manifest);
  if (!verified) return verified.error();
  const std::string text = folder + ": " + counted(verified->arrays, "array") + " of " +
                           counted(verified->windows, "window") +
                           " as written: dtypes, shapes and checksums; --against INPUT proves every token\n" +
                           "  fingerprint " + manifest.fingerprint + "\n";
  print(stdout, as_json ? verified_json(folder, manifest, *verified) : text);
  return kDone;
}

}  // namespace

Result<int> run_verify(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  const auto against = arguments.values.find("against");
  if (arguments.operands.size() != 1) {
    return native::bad_usage("verify needs one output folder: packscope verify OUT --against INPUT");
  }
  const std::string& folder = arguments.operands[0];
  Result<native::Manifest> manifest = native::read_manifest(folder);
  if (!manifest) return manifest.error();
  if (against == arguments.values.end()) return verify_alone(folder, *manifest, arguments.has("json"));
  Result<native::ReadOptions> reader = reader_from(arguments, manifest->reader);
  if (!reader) return reader.error();
  reader->vocab_size = manifest->options.vocab_size;
  // A plan alone was made without tokens, unless its report tells what only they can.
  reader->lengths_only =
      manifest->plan_only && lengths_suffice(manifest->options) && !manifest->stats.exact_duplicates;
  Result<native::CorpusData> corpus = read_documents(against->second, *reader, manifest->options, quiet);
  if (!corpus) return corpus.error();
  Progress progress("verifying", "windows", quiet);
  Result<native::Verified> verified = native::verify_folder(
      folder, *manifest, *corpus,
      {reader->threads, [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); }});
  if (!verified) return verified.error();
  print(stdout, arguments.has("json") ? verified_json(folder, *manifest, *verified)
                                      : verified_text(folder, *manifest, *verified));
  return kDone;
}

}  // namespace packscope::cli
