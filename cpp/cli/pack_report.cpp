// SPDX-License-Identifier: MIT
// What pack and plan say of their work.
#include "message.hpp"
#include "output/report_json.hpp"
#include "pack_job.hpp"
#include "packscope/algorithms.hpp"
#include "peak_memory.hpp"
#include "report.hpp"

namespace packscope::cli {
namespace {

using native::Outcome;

void tell_losses(const Outcome& outcome, const Talk& talk) {
  const Plan& plan = *outcome.plan;
  const Ledger& ledger = plan.ledger;
  const Options& options = plan.options;
  if (ledger.dropped_documents > 0 && long_documents_rule(options) == LongDocuments::drop) {
    talk.warn(counted(ledger.dropped_documents, "document") + " longer than the window of " +
              thousands(options.context_length) +
              " dropped; --long-documents split, truncate or truncate_left, or a longer "
              "window (-L), keeps them");
  }
  if (ledger.truncated_documents > 0 && long_documents_rule(options) != LongDocuments::split) {
    talk.warn(counted(ledger.truncated_documents, "document") + " longer than the window cut to " +
              thousands(options.context_length) + " tokens; --long-documents split keeps all of them");
  }
  if (options.algorithm == Algorithm::wrap && options.tail == Tail::drop && ledger.tokens_dropped > 0) {
    talk.warn(counted(ledger.tokens_dropped, "token") +
              " dropped with the last short window; --tail pad keeps them");
  }
  if (ledger.duplicate_documents > 0) {
    talk.note(counted(ledger.duplicate_documents, "document") +
              " dropped as exact duplicates (--drop-duplicates)");
  }
  if (ledger.empty_documents > 0) talk.note("skipped " + counted(ledger.empty_documents, "empty document"));
  const bool decreasing = algorithm_info(options.algorithm).name.ends_with("_decreasing");
  if (decreasing && !options.shuffle_windows && outcome.stats->windows > 1) {
    talk.note("windows run from long documents to short ones; --shuffle-windows mixes them");
  }
}

std::string input_text(const Outcome& outcome) {
  std::string text = outcome.inputs[0] == "-" ? "standard input" : outcome.inputs[0];
  if (outcome.inputs.size() > 1) text += " and " + counted(outcome.inputs.size() - 1, "more file");
  text += ", " + std::string(native::input_kind_name(outcome.kind));
  if (!native::tokenizes(outcome.kind, *outcome.reader)) return text;
  const std::string& tokenizer = outcome.reader->tokenizer;
  return text + ", " +
         (tokenizer == native::kByteTokenizer ? "bytes as tokens" : "tokenized by " + tokenizer);
}

std::string report_json(const Outcome& outcome, const Target& target, const Times& times) {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object().member("command", "pack").member("fingerprint", fingerprint_text(outcome.fingerprint));
  json.key("output");
  target.path.empty() ? json.null() : json.value(target.path);
  native::write_options(json.key("options"), outcome.plan->options);
  native::write_stats(json.key("stats"), *outcome.stats);
  native::write_ledger(json.key("ledger"), outcome.plan->ledger);
  native::write_ledger_by_source(json.key("ledger_by_source"), *outcome.plan);
  native::write_repairs(json.key("repairs"), outcome.corpus->repairs);
  json.key("seconds").inline_next().begin_object().member("read", times.read).key("plan");
  times.planned ? json.value(*times.planned) : json.null();
  json.member("write", times.wrote).end_object();
  json.member("peak_memory_bytes", native::peak_memory_bytes());
  json.end_object();
  return json.text() + "\n";
}

std::string times_text(const Times& times, const Target& target) {
  const std::string read = "read " + seconds_text(times.read);
  if (!times.planned) return read + ", packed as it came " + seconds_text(times.wrote);
  const std::string planned = read + ", planned " + seconds_text(*times.planned);
  return target.path.empty() ? planned : planned + ", wrote " + seconds_text(times.wrote);
}

void print_report(const Outcome& outcome, const Target& target, const Times& times, bool as_json) {
  std::FILE* to = target.is_stream() ? stderr : stdout;
  if (as_json) return print(to, report_json(outcome, target, times));
  Report report{.options = &outcome.plan->options,
                .ledger = &outcome.plan->ledger,
                .stats = outcome.stats,
                .fingerprint = fingerprint_text(outcome.fingerprint),
                .input = input_text(outcome),
                .output = target.is_stream() ? "standard output" : target.path,
                .times = times_text(times, target)};
  print(to, report_text(report));
}

}  // namespace

void report_job(const PackJob& job, const Outcome& outcome, const Times& times) {
  const Talk talk(job.quiet);
  tell_losses(outcome, talk);
  if (outcome.corpus->spool || job.stream)
    talk.note("memory peaked at " + bytes_text(native::peak_memory_bytes()));
  if (job.target.path.empty()) talk.note("nothing is written; -o OUT writes the windows");
  if (job.command == kPlan)
    talk.note("no window is written yet; packscope materialize " + job.target.path + " writes them");
  print_report(outcome, job.target, times, job.json);
}

}  // namespace packscope::cli
