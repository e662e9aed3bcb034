// SPDX-License-Identifier: MIT
// packscope pack: read, plan, write, report.
#include <optional>

#include "batch_arrays.hpp"
#include "command.hpp"
#include "folder_writer.hpp"
#include "lengths_reader.hpp"
#include "message.hpp"
#include "packscope/algorithms.hpp"
#include "packscope/pack.hpp"
#include "packscope/stats.hpp"
#include "pending_output.hpp"
#include "report.hpp"
#include "report_json.hpp"
#include "shards.hpp"
#include "window_writer.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;
using native::InputKind;
using native::Outcome;

constexpr std::uint64_t kShardBytes = std::uint64_t{1} << 30;  // of arrays, where plan is not told

enum class Format : std::uint8_t { npy, jsonl, sequences };

struct Target {
  std::string path;  // empty: nothing is written
  Format format = Format::npy;
  native::Replace replace = native::Replace::our_folders;
  native::Unfinished unfinished = native::Unfinished::remove;
  std::optional<std::uint64_t> shard_windows;
  [[nodiscard]] bool is_stream() const { return path == "-"; }
};

struct Times {
  double read = 0;
  double planned = 0;
  double wrote = 0;
};

Status read_shard_flags(const Arguments& arguments, Target& target) {
  const bool in_folder = !target.path.empty() && target.format == Format::npy;
  if (arguments.has("shard-windows")) {
    Result<std::uint64_t> windows =
        parse_number("shard-windows", arguments.get("shard-windows"), 1, UINT64_MAX);
    if (!windows) return windows.error();
    if (!in_folder || arguments.has("plan-only")) {
      return bad_usage(
          "--shard-windows cuts the arrays of windows into folders; use it with -o FOLDER, with --format npy "
          "and without --plan-only");
    }
    target.shard_windows = *windows;
  }
  if (!arguments.has("resume")) return {};
  if (!target.shard_windows) {
    return bad_usage(
        "--resume keeps finished shards; use it with the --shard-windows that the interrupted run had");
  }
  target.unfinished = native::Unfinished::resume;
  return {};
}

Result<Target> target_from(const Arguments& arguments) {
  Target target;
  target.path = arguments.get("output");
  if (arguments.has("force")) target.replace = native::Replace::any_file;
  if (arguments.has("output") && target.path.empty())
    return bad_usage("--output is empty; name a folder, a file, or -");
  if (target.is_stream() || target.path.ends_with(".jsonl")) target.format = Format::jsonl;
  const std::string name = arguments.get("format");
  if (name == "npy") {
    target.format = Format::npy;
  } else if (name == "jsonl") {
    target.format = Format::jsonl;
  } else if (name == "sequences") {
    target.format = Format::sequences;
  } else if (!name.empty()) {
    return bad_usage("--format '", name, "' must be npy, jsonl or sequences",
                     did_you_mean(name, std::vector<std::string>{"npy", "jsonl", "sequences"}));
  }
  if (target.is_stream() && target.format == Format::npy) {
    return bad_usage(
        "--format npy writes a folder of arrays, which cannot go to standard output; use --format jsonl");
  }
  if (target.format == Format::sequences && arguments.has("plan-only")) {
    return bad_usage("--plan-only writes no records; use it with --format npy or jsonl");
  }
  if (arguments.has("ledger-ids") && (target.path.empty() || target.format != Format::npy)) {
    return bad_usage(
        "--ledger-ids writes ledger.jsonl into the output folder; use it with -o FOLDER and --format npy");
  }
  if (Status read = read_shard_flags(arguments, target); !read) return read.error();
  if (target.path.ends_with(".gz") || target.path.ends_with(".zst")) {
    return bad_usage(target.path, ": output is not compressed; write to - and pipe it into gzip");
  }
  return target;
}

Status write_lines(native::FileWriter& file, Format format, const Outcome& outcome,
                   const native::WorkShare& share) {
  Status written = format == Format::sequences ? native::write_sequence_lines(file, outcome, share.progress)
                                               : native::write_window_lines(file, outcome, share);
  if (!written) return written;
  return file.close();
}

native::PendingOutput::Kind output_kind(const Target& target) {
  return target.format == Format::npy ? native::PendingOutput::Kind::folder
                                      : native::PendingOutput::Kind::file;
}

// Before the work: nobody waits an hour to hear that the output is refused.
Status check_target(const Target& target, const std::vector<std::string>& inputs) {
  if (target.path.empty() || target.is_stream()) return {};
  return native::check_output(target.path, output_kind(target), inputs, target.replace);
}

Status write_shards(const std::string& folder, const Outcome& outcome, const native::WorkShare& share) {
  const std::vector<native::Shard> shards =
      native::shards_of(outcome.plan->window_count(), *outcome.shard_windows);
  return native::write_missing_shards(folder, shards, *outcome.plan, *outcome.corpus, share);
}

Status write_output(const Target& target, const Outcome& outcome, bool only_plans, bool quiet) {
  Progress shown("writing", "windows", quiet);
  const native::WorkShare share{outcome.reader->threads,
                                [&](std::uint64_t done, std::uint64_t total) { shown.update(done, total); }};
  if (target.is_stream()) {
    native::FileWriter file = native::FileWriter::standard_output();
    return write_lines(file, target.format, outcome, share);
  }
  Result<native::PendingOutput> pending = native::PendingOutput::create(
      target.path, output_kind(target), outcome.inputs, target.replace, target.unfinished);
  if (!pending) return pending.error();
  if (target.format == Format::npy) {
    const std::string folder = pending->path().string();
    if (Status written = native::write_folder(folder, outcome, share); !written) return written;
    if (outcome.shard_windows && !only_plans) {
      if (Status written = write_shards(folder, outcome, share); !written) return written;
    }
    return pending->commit();
  }
  Result<native::FileWriter> file = native::FileWriter::create(pending->path().string());
  if (!file) return file.error();
  if (Status written = write_lines(*file, target.format, outcome, share); !written) return written;
  return pending->commit();
}

void tell_losses(const Plan& plan, const Talk& talk) {
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
  if (decreasing && !options.shuffle_windows && plan.window_count() > 1) {
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
  json.key("seconds")
      .inline_next()
      .begin_object()
      .member("read", times.read)
      .member("plan", times.planned)
      .member("write", times.wrote)
      .end_object();
  json.end_object();
  return json.text() + "\n";
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
                .times = "read " + seconds_text(times.read) + ", planned " + seconds_text(times.planned) +
                         (target.path.empty() ? "" : ", wrote " + seconds_text(times.wrote))};
  print(to, report_text(report));
}

// Flags of JSON records mean nothing for other input.
void tell_unread_reader_flags(const Arguments& arguments, InputKind kind, const native::ReadOptions& reader,
                              const Talk& talk) {
  if (arguments.has("tokenizer") && !native::tokenizes(kind, reader)) {
    talk.note("--tokenizer is not read: there is no text to tokenize; --text-field names text in JSON lines");
  }
  if (kind == InputKind::jsonl) return;
  for (const Flag& flag : flags_of(kPack)) {
    const bool of_records = flag.name.ends_with("-field") || flag.name == "text-join";
    if (of_records && arguments.has(flag.name)) {
      talk.note("--" + flag.name + " is not read: the input is " +
                std::string(native::input_kind_name(kind)));
    }
  }
}

// What pack and plan have in common: plan writes no window.
Result<int> pack_documents(const Arguments& arguments, Command command) {
  const bool only_plans = command == kPlan;
  const bool quiet = arguments.has("quiet");
  const Talk talk(quiet);
  if (arguments.operands.empty()) {
    return bad_usage(only_plans ? "plan" : "pack", " needs an input: a file, or - for standard input");
  }
  if (only_plans && arguments.get("output").empty())
    return bad_usage("plan needs a folder to write: -o PLAN");
  Result<Target> target = target_from(arguments);
  if (!target) return target.error();
  Result<Options> options = options_from(arguments);
  if (!options) return options.error();
  if (Status allowed = check_options(*options); !allowed) return allowed.error();
  Result<native::ReadOptions> reader = reader_from(arguments);
  if (!reader) return reader.error();
  Result<InputKind> kind = native::input_kind(arguments.operands, *reader);
  if (!kind) return kind.error();
  if (Status together = check_together(*options, *reader, *kind); !together) return together.error();
  reader->vocab_size = options->vocab_size;
  reader->lengths_only = (only_plans || arguments.has("plan-only")) && lengths_suffice(*options);
  reader->keep_records = target->format == Format::sequences;
  if (reader->keep_records) {
    if (Status fit = native::check_sequences(*options, *kind); !fit) return fit.error();
  }
  if (Status free = check_target(*target, arguments.operands); !free) return free.error();
  tell_unread_options(arguments, {options->algorithm}, talk);
  tell_unread_reader_flags(arguments, *kind, *reader, talk);
  tell_idle_separator(*options, arguments, talk);

  Times times;
  const Stopwatch reading;
  Result<native::CorpusData> corpus = read_with_progress(arguments.operands, *reader, *options, quiet);
  if (!corpus) return corpus.error();
  if (*kind == InputKind::histogram) {
    if (Status expanded = native::expand_histogram(*reader, *corpus); !expanded) return expanded.error();
  }
  tell_repairs(*corpus, talk);
  if (!target->path.empty() && !arguments.has("plan-only")) {
    const Result<std::uint64_t> in_shard = native::windows_in(kShardBytes, *options, corpus->view());
    if (!in_shard) return in_shard.error();
    if (only_plans && !target->shard_windows) target->shard_windows = *in_shard;
  }
  times.read = reading.seconds();

  const Stopwatch planning;
  const PlanInput input = plan_input(*corpus, *options);
  Result<Plan> plan = pack(input.documents(*corpus), *options);
  if (!plan) return plan.error();
  times.planned = planning.seconds();
  Result<Stats> measured = stats(*plan, corpus->view());
  if (!measured) return measured.error();
  if (target->shard_windows) native::leave_out_token_stats(*measured);

  std::vector<DocumentFate> fates;
  if (arguments.has("ledger-ids")) fates = document_fates(*plan, input.documents(*corpus));
  const Outcome outcome{.kind = *kind,
                        .inputs = arguments.operands,
                        .reader = &*reader,
                        .corpus = &*corpus,
                        .plan = &*plan,
                        .stats = &*measured,
                        .fingerprint = fingerprint(*plan),
                        .plan_only = arguments.has("plan-only"),
                        .shard_windows = target->shard_windows,
                        .fates = arguments.has("ledger-ids") ? &fates : nullptr};
  const Stopwatch writing;
  if (!target->path.empty()) {
    Status written = write_output(*target, outcome, only_plans, quiet);
    if (!written) return written.error();
  }
  times.wrote = writing.seconds();
  tell_losses(*plan, talk);
  if (target->path.empty()) talk.note("nothing is written; -o OUT writes the windows");
  if (only_plans)
    talk.note("no window is written yet; packscope materialize " + target->path + " writes them");
  print_report(outcome, *target, times, arguments.has("json"));
  return kDone;
}

}  // namespace

Result<int> run_pack(const Arguments& arguments) { return pack_documents(arguments, kPack); }

Result<int> run_plan(const Arguments& arguments) { return pack_documents(arguments, kPlan); }

}  // namespace packscope::cli
