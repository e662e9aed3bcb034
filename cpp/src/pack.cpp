// SPDX-License-Identifier: MIT
// pack() and Packer: the two ways to hand documents to a Planner.
#include "packscope/pack.hpp"

#include <algorithm>
#include <utility>

#include "packscope/trace.hpp"
#include "planner.hpp"
#include "text.hpp"
#include "window_rules.hpp"

namespace packscope {
namespace {

template <class T>
std::span<const T> part(std::span<const T> values, std::size_t first, std::size_t count) {
  return values.empty() ? values : values.subspan(first, count);
}

DocumentSet part(const DocumentSet& all, std::size_t first, std::size_t count) {
  if (!all.order.empty()) {
    DocumentSet some = all;
    some.order = all.order.subspan(first, count);
    return some;
  }
  return {part(all.lengths, first, count),
          part(all.sources, first, count),
          part(all.duplicates, first, count),
          {},
          all.first_document + static_cast<std::uint32_t>(first),
          all.longest};
}

void plan_everything(Planner& planner, const DocumentSet& documents) {
  if (planner.streaming()) return planner.push(documents);
  for (std::size_t first = 0; first < documents.size();) {
    const std::uint64_t left = documents.size() - first;
    const auto count = static_cast<std::size_t>(std::min(planner.documents_per_flush(), left));
    planner.plan(part(documents, first, count));
    first += count;
  }
}

// Only drop_duplicates reads the marks of duplicates.
Documents known_documents(const Options& options, Documents documents) {
  if (!options.drop_duplicates) documents.duplicates = {};
  return documents;
}

Status pack_everything(Plan& plan, const Documents& documents, const Options& options, PackScratch& scratch,
                       TraceRecorder* trace, Executor* executor) {
  auto planner = Planner::create(options, documents.source_names, scratch, trace, executor);
  if (!planner) return planner.error();
  const Documents known = known_documents(options, documents);
  const LengthTotals totals = length_totals(known.lengths);
  if (auto status = (*planner)->check(known, 0, totals); !status) return status.error();
  (*planner)->count_in(known, totals);
  (*planner)->prepare(std::move(plan), known.lengths.size(), totals);
  std::vector<std::uint32_t> order;
  if (options.shuffle_documents) order = (*planner)->shuffled_order(known.lengths.size());
  plan_everything(**planner, {known.lengths, known.sources, known.duplicates, order, 0, totals.longest});
  (*planner)->finish();
  plan = (*planner)->take_plan();
  return {};
}

}  // namespace

Result<Plan> pack(const Documents& documents, const Options& options, Executor* executor) {
  Plan plan;
  PackScratch scratch;
  if (auto status = pack_into(plan, documents, options, scratch, executor); !status) return status.error();
  return plan;
}

Status pack_into(Plan& plan, const Documents& documents, const Options& options, PackScratch& scratch,
                 Executor* executor) {
  return pack_everything(plan, documents, options, scratch, nullptr, executor);
}

Result<TracedPlan> pack_traced(const Documents& documents, const Options& options, std::uint64_t max_steps) {
  if (auto status = check_options(options); !status) return status.error();
  TracedPlan traced;
  PackScratch scratch;
  TraceRecorder recorder(options, max_steps);
  if (auto status = pack_everything(traced.plan, documents, options, scratch, &recorder, nullptr); !status) {
    return status.error();
  }
  traced.trace = recorder.take(traced.plan.ledger.filler_windows);
  return traced;
}

struct Packer::Session {
  PackScratch scratch;
  std::unique_ptr<Planner> planner;
  std::uint32_t pushed = 0;  // documents
  // An offline algorithm's documents that are not planned yet.
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> sources;
  std::vector<std::uint8_t> duplicates;

  void remember(const Documents& documents) {
    lengths.insert(lengths.end(), documents.lengths.begin(), documents.lengths.end());
    sources.insert(sources.end(), documents.sources.begin(), documents.sources.end());
    sources.resize(lengths.size(), 0);
    duplicates.insert(duplicates.end(), documents.duplicates.begin(), documents.duplicates.end());
    duplicates.resize(lengths.size(), 0);
  }

  // Plans `count` documents at a time while there are as many, and forgets them.
  void plan_every(std::size_t count) {
    const std::uint32_t first_document = pushed - static_cast<std::uint32_t>(lengths.size());
    const DocumentSet all{lengths, sources, duplicates, {}, first_document, length_totals(lengths).longest};
    std::size_t planned = 0;
    for (; all.size() - planned >= count; planned += count) planner->plan(part(all, planned, count));
    const auto gone = static_cast<std::ptrdiff_t>(planned);
    lengths.erase(lengths.begin(), lengths.begin() + gone);
    sources.erase(sources.begin(), sources.begin() + gone);
    duplicates.erase(duplicates.begin(), duplicates.begin() + gone);
  }
};

Packer::Packer(std::unique_ptr<Session> session) : session_(std::move(session)) {}
Packer::Packer(Packer&&) noexcept = default;
Packer& Packer::operator=(Packer&&) noexcept = default;
Packer::~Packer() = default;

Result<Packer> Packer::create(const Options& options, std::span<const std::string> source_names) {
  if (options.shuffle_documents || options.shuffle_windows) {
    return invalid_option(options.shuffle_documents ? "shuffle_documents" : "shuffle_windows",
                          " needs every document before the first window: use pack() instead of a stream");
  }
  auto session = std::make_unique<Session>();
  auto planner = Planner::create(options, source_names, session->scratch);
  if (!planner) return planner.error();
  session->planner = std::move(*planner);
  return Packer(std::move(session));
}

Status Packer::add_source(const std::string& name) { return session_->planner->add_source(name); }

std::uint32_t Packer::group_of(std::uint32_t source) const { return session_->planner->group_of(source); }

Status Packer::push(std::span<const std::uint32_t> lengths, std::span<const std::uint32_t> sources,
                    std::span<const std::uint8_t> duplicates) {
  Session& session = *session_;
  Planner& planner = *session.planner;
  const Documents documents = known_documents(planner.options(), {lengths, sources, {}, duplicates});
  const LengthTotals totals = length_totals(lengths);
  if (auto status = planner.check(documents, session.pushed, totals); !status) return status;
  planner.count_in(documents, totals);
  const DocumentSet in_order{documents.lengths, documents.sources, documents.duplicates, {}, session.pushed};
  session.pushed += static_cast<std::uint32_t>(lengths.size());
  if (planner.streaming()) {
    planner.push(in_order);
    return {};
  }
  session.remember(documents);
  const std::uint64_t at_once = planner.documents_per_flush();
  if (session.lengths.size() >= at_once) session.plan_every(static_cast<std::size_t>(at_once));
  return {};
}

void Packer::finish() {
  if (!session_->lengths.empty()) session_->plan_every(session_->lengths.size());
  session_->planner->finish();
}

WindowList Packer::take_closed() { return session_->planner->take_windows(); }

Plan Packer::take_plan() { return session_->planner->take_plan(); }

std::uint32_t planned_end(const Options& options, std::uint32_t length) {
  if (length == 0) return 0;
  const WindowRules rules(options);
  const DocumentLayout layout = rules.layout(length);
  return layout.kept() == 0 ? 0 : layout.end_token + rules.bos;
}

}  // namespace packscope
