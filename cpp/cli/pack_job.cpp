// SPDX-License-Identifier: MIT
#include "pack_job.hpp"

#include <algorithm>

#include "flags.hpp"
#include "message.hpp"
#include "output/shards.hpp"
#include "output/window_writer.hpp"
#include "pack_stream.hpp"
#include "packscope/pack.hpp"
#include "task_executor.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;
using native::InputKind;

Status read_shard_flags(const Arguments& arguments, Target& target) {
  const bool in_folder = !target.path.empty() && target.format == Format::folder;
  if (arguments.has("shard-windows")) {
    Result<std::uint64_t> windows =
        parse_number("shard-windows", arguments.get("shard-windows"), 1, UINT64_MAX);
    if (!windows) return windows.error();
    if (!in_folder || arguments.has("plan-only")) {
      return bad_usage(
          "--shard-windows cuts the arrays of windows into folders; use it with -o FOLDER and without "
          "--plan-only");
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

// --format, or what the name of the output tells.
Status read_format(const Arguments& arguments, Target& target) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(native::kContainerNames.begin(), native::kContainerNames.end());
    all.insert(all.end(), {"jsonl", "sequences"});
    return all;
  }();
  if (target.is_stream() || target.path.ends_with(".jsonl")) target.format = Format::jsonl;
  const std::string name = arguments.get("format");
  if (name.empty()) {
    for (const std::string_view ending : {".npy", ".npz", ".safetensors"}) {
      if (!target.path.ends_with(ending)) continue;
      return bad_usage("-o ", target.path,
                       ": the output is a folder, with its manifest; use -o FOLDER --format ",
                       ending.substr(1));
    }
    return {};
  }
  if (const auto container = native::container_named(name)) {
    target.format = Format::folder;
    target.stored_as.container = *container;
    if (!target.is_stream()) return {};
    return bad_usage("--format ", name,
                     " writes a folder of arrays, which cannot go to standard output; use --format jsonl");
  }
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return bad_usage("--format '", name, "' must be npy, npz, safetensors, megatron, jsonl or sequences",
                     did_you_mean(name, names));
  }
  target.format = name == "jsonl" ? Format::jsonl : Format::sequences;
  return {};
}

Status read_ids_dtype(const Arguments& arguments, Target& target) {
  const std::string name = arguments.get("input-ids-dtype");
  if (name.empty()) return {};
  if (name != "int32" && name != "uint16" && name != "auto") {
    return bad_usage("--input-ids-dtype '", name, "' must be int32, uint16 or auto",
                     did_you_mean(name, std::vector<std::string>{"int32", "uint16", "auto"}));
  }
  if (target.format != Format::folder) {
    return bad_usage("--input-ids-dtype is of arrays, and JSON has none; leave it out");
  }
  target.narrowest_ids = name == "auto";
  if (name == "uint16") target.stored_as.ids = native::IdType::uint16;
  return {};
}

Result<Target> target_from(const Arguments& arguments) {
  Target target;
  target.path = arguments.get("output");
  if (arguments.has("force")) target.replace = native::Replace::any_file;
  if (arguments.has("output") && target.path.empty())
    return bad_usage("--output is empty; name a folder, a file, or -");
  if (Status read = read_format(arguments, target); !read) return read.error();
  if (Status read = read_ids_dtype(arguments, target); !read) return read.error();
  if (target.format == Format::sequences && arguments.has("plan-only")) {
    return bad_usage("--plan-only writes no records; use it with a folder or with --format jsonl");
  }
  if (arguments.has("ledger-ids") && (target.path.empty() || target.format != Format::folder)) {
    return bad_usage("--ledger-ids writes ledger.jsonl into the output folder; use it with -o FOLDER");
  }
  if (Status read = read_shard_flags(arguments, target); !read) return read.error();
  if (target.path.ends_with(".gz") || target.path.ends_with(".zst")) {
    return bad_usage(target.path, ": output is not compressed; write to - and pipe it into gzip");
  }
  return target;
}

std::string place_of(const native::CorpusData& corpus, std::uint64_t token) {
  const auto& offsets = corpus.document_offsets;
  const auto after = std::upper_bound(offsets.begin(), offsets.end(), token);
  const auto document = static_cast<std::uint64_t>(after - offsets.begin()) - 1;
  return concat("document ", document, ": token ", token - offsets[document]);
}

// Before the work: nobody waits an hour to hear that the output is refused.
Status check_target(const Target& target, const std::vector<std::string>& inputs) {
  if (target.path.empty() || target.is_stream()) return {};
  return native::check_output(target.path, target.kind(), inputs, target.replace);
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

}  // namespace

Result<PackJob> pack_job_from(const Arguments& arguments, Command command) {
  PackJob job;
  job.command = command;
  job.inputs = arguments.operands;
  job.plan_only = arguments.has("plan-only");
  job.ledger_ids = arguments.has("ledger-ids");
  job.json = arguments.has("json");
  job.quiet = arguments.has("quiet");
  const bool only_plans = command == kPlan;
  if (job.inputs.empty()) {
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
  Result<InputKind> kind = native::input_kind(job.inputs, *reader);
  if (!kind) return kind.error();
  if (Status together = check_together(*options, *reader, *kind); !together) return together.error();
  reader->vocab_size = options->vocab_size;
  reader->lengths_only = (only_plans || job.plan_only) && lengths_suffice(*options) && !target->narrowest_ids;
  reader->keep_records = target->format == Format::sequences;
  if (reader->keep_records) {
    if (Status fit = native::check_sequences(*options, *kind); !fit) return fit.error();
  }
  if (Status free = check_target(*target, job.inputs); !free) return free.error();
  const Talk talk(job.quiet);
  tell_unread_options(arguments, {options->algorithm}, talk);
  tell_unread_reader_flags(arguments, *kind, *reader, talk);
  tell_idle_separator(*options, arguments, talk);
  job.kind = *kind;
  job.reader = *std::move(reader);
  job.options = *std::move(options);
  job.target = *std::move(target);
  job.stream = arguments.has("stream");
  if (job.stream) {
    if (Status able = check_stream(job); !able) return able.error();
  }
  return job;
}

native::Outcome Planned::outcome(const PackJob& job, const native::CorpusData& corpus) const {
  return {.kind = job.kind,
          .inputs = job.inputs,
          .reader = &job.reader,
          .corpus = &corpus,
          .plan = &plan,
          .stats = &stats,
          .fingerprint = fingerprint(plan),
          .plan_only = job.plan_only,
          .stored_as = job.target.stored_as,
          .shard_windows = job.target.shard_windows,
          .fates = job.ledger_ids ? &fates : nullptr};
}

Status settle_ids(Target& target, const Options& options, const native::CorpusData& corpus) {
  if (!corpus.tokens_known || target.format != Format::folder) return {};
  const bool is_narrow = target.stored_as.ids == native::IdType::uint16;
  if (!is_narrow && !target.narrowest_ids) return {};
  const TokenView tokens = corpus.view().tokens;
  std::int32_t largest = options.pad_token_id;
  for (const auto& added : {options.separator_id, options.bos_id})
    largest = std::max(largest, added.value_or(0));
  tokens.visit([&](auto ids) {
    for (const std::int32_t id : ids) largest = std::max(largest, id);
  });
  if (largest <= native::kLargestUint16) {
    target.stored_as.ids = native::IdType::uint16;
    return {};
  }
  if (!is_narrow) return {};
  const auto is_large = [](std::int32_t id) { return id > native::kLargestUint16; };
  const std::size_t at = tokens.visit([&](auto ids) {
    return static_cast<std::size_t>(std::find_if(ids.begin(), ids.end(), is_large) - ids.begin());
  });
  const bool is_added = at == tokens.size();
  const std::string place = is_added ? "an id that the options add" : place_of(corpus, at);
  return Error{ErrorCode::token_out_of_range,
               concat(place, " is ", is_added ? largest : tokens[at], ", which does not fit uint16 (0 to ",
                      native::kLargestUint16, "); use --input-ids-dtype int32")};
}

Result<Planned> plan_job(const PackJob& job, const native::CorpusData& corpus) {
  const PlanInput input = plan_input(corpus, job.options);
  native::TaskExecutor executor(job.reader.threads);
  Result<Plan> plan = pack(input.documents(corpus), job.options, &executor);
  if (!plan) return plan.error();
  Result<Stats> measured = stats(*plan, corpus.view());
  if (!measured) return measured.error();
  if (job.target.shard_windows) native::leave_out_token_stats(*measured);
  Planned planned{*std::move(plan), *std::move(measured), {}};
  if (job.ledger_ids) planned.fates = document_fates(planned.plan, input.documents(corpus));
  return planned;
}

}  // namespace packscope::cli
