// SPDX-License-Identifier: MIT
// packscope compare: every algorithm on the same documents, a table for each window length.
#include <algorithm>

#include "command.hpp"
#include "message.hpp"
#include "output/report_json.hpp"
#include "packscope/algorithms.hpp"
#include "packscope/histogram.hpp"
#include "packscope/pack.hpp"
#include "packscope/stats.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;

constexpr std::uint64_t kDrawnDocuments = 100'000;

struct Row {
  Options options;
  Stats stats;
  Ledger ledger;
  double seconds = 0;
  bool estimated = false;
  bool order_unknown = false;  // a histogram has no order: cuts and attention are not known
};

// The documents to compare on: all of them, or a histogram, with documents drawn from it for what it cannot
// tell.
struct Subject {
  native::CorpusData corpus;
  PlanInput input;
  std::vector<std::uint32_t> drawn;

  [[nodiscard]] bool is_histogram() const { return !corpus.histogram.empty(); }
};

Result<Row> compare_on_histogram(const Subject& subject, const Options& options) {
  const Stopwatch watch;
  Result<HistogramPlan> planned = pack_histogram(subject.corpus.histogram, options);
  if (!planned) return planned.error();
  return Row{options,         planned->stats, planned->ledger,
             watch.seconds(), false,          algorithm_info(options.algorithm).splits};
}

Result<Row> compare_on_drawn(const Subject& subject, const Options& options) {
  const Stopwatch watch;
  Result<HistogramPlan> estimate = estimate_histogram(subject.corpus.histogram, subject.drawn, options);
  if (!estimate) return estimate.error();
  return Row{options, estimate->stats, estimate->ledger, watch.seconds(), true, false};
}

Result<Row> compare_on_documents(const Documents& documents, const Options& options) {
  const Stopwatch watch;
  Result<Plan> plan = pack(documents, options);
  if (!plan) return plan.error();
  const double seconds = watch.seconds();
  Result<Stats> measured = stats(*plan, documents);
  if (!measured) return measured.error();
  return Row{options, *measured, plan->ledger, seconds, false, false};
}

Result<Row> compare_one(const Subject& subject, const Options& options) {
  if (!subject.is_histogram()) return compare_on_documents(subject.input.documents(subject.corpus), options);
  if (exact_from_histogram(options)) return compare_on_histogram(subject, options);
  return compare_on_drawn(subject, options);
}

std::string attention_text(const Stats& stats) {
  if (stats.causal_pairs == 0) return "-";
  return percent_text(static_cast<double>(stats.attention_pairs) / static_cast<double>(stats.causal_pairs));
}

std::string table_text(const std::vector<Row>& rows) {
  Table table({"algorithm", "windows", "real tokens", "gap", "split", "dropped", "attention", "time"});
  for (const Row& row : rows) {
    std::vector<std::string> cells{std::string(algorithm_info(row.options.algorithm).name),
                                   thousands(row.stats.windows),
                                   percent_text(row.stats.real_token_share()),
                                   thousands(row.stats.gap()),
                                   row.order_unknown ? "-" : thousands(row.ledger.split_documents),
                                   thousands(row.ledger.dropped_documents),
                                   row.order_unknown ? "-" : attention_text(row.stats),
                                   seconds_text(row.seconds)};
    if (row.estimated) cells.emplace_back("estimated");
    table.add(std::move(cells));
  }
  return table.text();
}

std::string bounds_text(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (!row.estimated && !algorithm_info(row.options.algorithm).splits) {
      return ", lower bound " + counted(row.stats.lower_bound, "window");
    }
  }
  return "";
}

std::string rows_json(const std::vector<std::vector<Row>>& tables) {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_array();
  for (const std::vector<Row>& rows : tables) {
    for (const Row& row : rows) {
      json.begin_object()
          .member("context_length", row.options.context_length)
          .member("algorithm", algorithm_info(row.options.algorithm).name)
          .member("estimated", row.estimated)
          .member("order_unknown", row.order_unknown)
          .member("seconds", row.seconds);
      native::write_stats(json.key("stats"), row.stats);
      native::write_ledger(json.key("ledger"), row.ledger);
      json.end_object();
    }
  }
  json.end_array();
  return json.text() + "\n";
}

// The values of a list flag, each once.
Result<std::vector<std::string>> distinct_list(const Arguments& arguments, std::string_view flag) {
  for (const std::string& value :
       arguments.has(flag) ? arguments.values.find(flag)->second : std::vector<std::string>{}) {
    if (!value.empty() && ("," + value + ",").find(",,") == std::string::npos) continue;
    return bad_usage("--", flag, " '", value,
                     "' has an empty entry; write values with one comma between them");
  }
  std::vector<std::string> distinct;
  for (std::string& value : arguments.list(flag)) {
    if (std::find(distinct.begin(), distinct.end(), value) == distinct.end()) distinct.push_back(value);
  }
  return distinct;
}

Result<std::vector<Options>> variants(const Arguments& arguments, const Options& base) {
  Result<std::vector<std::string>> given = distinct_list(arguments, "algorithm");
  if (!given) return given.error();
  std::vector<std::string> names = *std::move(given);
  if (names.empty() || (names.size() == 1 && names[0] == "all")) {
    names.clear();
    for (const AlgorithmInfo& info : algorithms()) names.emplace_back(info.name);
  }
  given = distinct_list(arguments, "context-length");
  if (!given) return given.error();
  std::vector<std::string> lengths = *std::move(given);
  if (lengths.empty()) lengths.push_back(get_option(base, "context_length"));
  std::vector<Options> all;
  for (const std::string& length : lengths) {
    for (const std::string& name : names) {
      Options options = base;
      if (Status set = set_flag(options, "context_length", length); !set) return set.error();
      if (Status set = set_flag(options, "algorithm", name); !set) return set.error();
      if (Status allowed = check_options(options); !allowed) return allowed.error();
      all.push_back(std::move(options));
    }
  }
  return all;
}

Result<Subject> read_subject(const Arguments& arguments, const Options& base) {
  Result<native::ReadOptions> reader = reader_from(arguments);
  if (!reader) return reader.error();
  const Result<native::InputKind> kind = native::input_kind(arguments.operands, *reader);
  if (!kind) return kind.error();
  if (Status together = check_together(base, *reader, *kind); !together) return together.error();
  reader->vocab_size = base.vocab_size;
  reader->lengths_only = lengths_suffice(base);
  Result<native::CorpusData> corpus =
      read_with_progress(arguments.operands, *reader, base, arguments.has("quiet"));
  if (!corpus) return corpus.error();
  Subject subject;
  subject.corpus = std::move(*corpus);
  if (!subject.is_histogram()) {
    subject.input = plan_input(subject.corpus, base);
    return subject;
  }
  if (reader->limit_documents) {
    return bad_usage("--limit-documents does not go with a histogram, which has no order of documents");
  }
  subject.drawn = draw_lengths(subject.corpus.histogram, kDrawnDocuments, base.seed);
  return subject;
}

}  // namespace

Result<int> run_compare(const Arguments& arguments) {
  const Talk talk(arguments.has("quiet"));
  if (arguments.operands.empty()) return bad_usage("compare needs an input: a file, or - for standard input");
  Result<Options> base = options_from(arguments, {"context-length", "algorithm"});
  if (!base) return base.error();
  Result<std::vector<Options>> all = variants(arguments, *base);
  if (!all) return all.error();
  std::vector<Algorithm> chosen;
  for (const Options& options : *all) chosen.push_back(options.algorithm);
  tell_unread_options(arguments, chosen, talk);
  Result<Subject> subject = read_subject(arguments, *base);
  if (!subject) return subject.error();
  tell_repairs(subject->corpus, talk);

  std::vector<std::vector<Row>> tables;
  Progress progress("comparing", "plans", arguments.has("quiet"));
  for (std::size_t i = 0; i < all->size(); ++i) {
    progress.update(i, all->size());
    Result<Row> row = compare_one(*subject, (*all)[i]);
    if (!row) return row.error();
    const bool same_table =
        !tables.empty() && tables.back().back().options.context_length == row->options.context_length;
    if (!same_table) tables.emplace_back();
    tables.back().push_back(std::move(*row));
  }
  if (arguments.has("json")) {
    print(stdout, rows_json(tables));
    return kDone;
  }
  std::string text;
  for (const std::vector<Row>& rows : tables) {
    text += (text.empty() ? "" : "\n") + std::string("windows of ") +
            thousands(rows[0].options.context_length) +
            " tokens: " + counted(rows[0].ledger.documents, "document") + ", " +
            counted(rows[0].ledger.tokens, "token") + bounds_text(rows) + "\n\n" + table_text(rows);
  }
  print(stdout, text);
  return kDone;
}

}  // namespace packscope::cli
