// SPDX-License-Identifier: MIT
// packscope lengths: the first step of a run on many machines. Each reads its share of the input into a
// corpus folder.
#include "command.hpp"
#include "files/json_writer.hpp"
#include "input/corpus_folder.hpp"
#include "message.hpp"
#include "output/pending_output.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;

std::string corpus_report(const native::CorpusData& corpus, const std::string& folder) {
  return folder + ": " + counted(corpus.document_count(), "document") + ", " +
         counted(corpus.token_count(), "token") +
         (corpus.tokens_known ? "" : " known by their documents' lengths alone") + "\n";
}

std::string corpus_json(const native::CorpusData& corpus, const std::string& folder) {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object()
      .member("command", "lengths")
      .member("output", folder)
      .member("documents", corpus.document_count())
      .member("tokens", corpus.token_count())
      .member("tokens_known", corpus.tokens_known)
      .end_object();
  return json.text() + "\n";
}

}  // namespace

Result<int> run_lengths(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  const std::string target = arguments.get("output");
  if (arguments.operands.empty() || target.empty()) {
    return bad_usage("lengths needs an input and a folder to write: packscope lengths INPUT... -o CORPUS");
  }
  Result<native::ReadOptions> reader = reader_from(arguments);
  if (!reader) return reader.error();
  constexpr auto kKind = native::PendingOutput::Kind::folder;
  constexpr auto kReplace = native::Replace::our_folders;
  Status free = native::check_output(target, kKind, arguments.operands, kReplace);
  if (!free) return free.error();
  Result<native::CorpusData> corpus = read_documents(arguments.operands, *reader, Options{}, quiet);
  if (!corpus) return corpus.error();
  tell_repairs(*corpus, Talk(quiet));
  Result<native::PendingOutput> pending =
      native::PendingOutput::create(target, kKind, arguments.operands, kReplace);
  if (!pending) return pending.error();
  Status written = native::write_corpus(pending->path().string(), *corpus, arguments.operands);
  if (!written) return written.error();
  if (Status committed = pending->commit(); !committed) return committed.error();
  print(stdout, arguments.has("json") ? corpus_json(*corpus, target) : corpus_report(*corpus, target));
  return kDone;
}

}  // namespace packscope::cli
