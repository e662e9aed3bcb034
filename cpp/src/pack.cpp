// SPDX-License-Identifier: MIT
// pack() and Packer: the two ways to hand documents to a Planner.
#include "packscope/pack.hpp"

#include <algorithm>
#include <utility>

#include "planner.hpp"
#include "text.hpp"

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
          all.first_document + static_cast<std::uint32_t>(first)};
}

void plan_everything(Planner& planner, const DocumentSet& documents) {
  planner.expect_documents(documents.size());
  if (planner.streaming()) return planner.push(documents);
  for (std::size_t first = 0; first < documents.size();) {
    const std::uint64_t left = documents.size() - first;
    const auto count = static_cast<std::size_t>(std::min(planner.documents_per_flush(), left));
    planner.plan(part(documents, first, count));
    first += count;
  }
}

// Only drop_duplicates reads the marks.
std::span<const std::uint8_t> dropped_duplicates(const Options& options,
                                                 std::span<const std::uint8_t> duplicates) {
  return options.drop_duplicates ? duplicates : std::span<const std::uint8_t>{};
}

}  // namespace

Result<Plan> pack(const Documents& documents, const Options& options) {
  auto planner = Planner::create(options, documents.source_names);
  if (!planner) return planner.error();
  if (options.drop_duplicates && documents.duplicates.empty() && !documents.lengths.empty()) {
    return invalid_option(
        "drop_duplicates needs the documents' tokens: pass find_duplicates() as duplicates");
  }
  DocumentSet all{
      documents.lengths, documents.sources, dropped_duplicates(options, documents.duplicates), {}};
  if (auto status = (*planner)->check(all); !status) return status.error();
  std::vector<std::uint32_t> order;
  if (options.shuffle_documents) order = (*planner)->shuffled_order(documents.lengths.size());
  all.order = order;
  plan_everything(**planner, all);
  (*planner)->finish();
  return (*planner)->take_plan();
}

struct Packer::Session {
  std::unique_ptr<Planner> planner;
  std::uint32_t pushed = 0;  // documents
  // An offline algorithm's documents since the last flush.
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> sources;
  std::vector<std::uint8_t> duplicates;

  void remember(const DocumentSet& documents) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto index = static_cast<std::uint32_t>(i);
      lengths.push_back(documents.lengths[i]);
      sources.push_back(documents.source(index));
      duplicates.push_back(documents.duplicate(index) ? 1 : 0);
    }
  }

  void plan_first(std::size_t count) {
    const std::uint32_t first_document = pushed - static_cast<std::uint32_t>(lengths.size());
    const DocumentSet all{lengths, sources, duplicates, {}, first_document};
    planner->plan(part(all, 0, count));
    const auto gone = static_cast<std::ptrdiff_t>(count);
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
                          " needs every document before the first window: use pack() instead of a Packer");
  }
  auto planner = Planner::create(options, source_names);
  if (!planner) return planner.error();
  auto session = std::make_unique<Session>();
  session->planner = std::move(*planner);
  return Packer(std::move(session));
}

Status Packer::push(std::span<const std::uint32_t> lengths, std::span<const std::uint32_t> sources,
                    std::span<const std::uint8_t> duplicates) {
  Session& session = *session_;
  Planner& planner = *session.planner;
  const DocumentSet documents{
      lengths, sources, dropped_duplicates(planner.options(), duplicates), {}, session.pushed};
  if (auto status = planner.check(documents); !status) return status;
  session.pushed += static_cast<std::uint32_t>(lengths.size());
  if (planner.streaming()) {
    planner.push(documents);
    return {};
  }
  session.remember(documents);
  while (session.lengths.size() >= planner.documents_per_flush()) {
    session.plan_first(static_cast<std::size_t>(planner.documents_per_flush()));
  }
  return {};
}

void Packer::finish() {
  if (!session_->lengths.empty()) session_->plan_first(session_->lengths.size());
  session_->planner->finish();
}

WindowList Packer::take_closed() { return session_->planner->take_windows(); }

Plan Packer::take_plan() { return session_->planner->take_plan(); }

}  // namespace packscope
