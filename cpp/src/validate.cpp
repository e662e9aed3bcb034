// SPDX-License-Identifier: MIT
// validate(): every invariant of a plan, in an order that lets each check trust the ones before it.
#include "packscope/validate.hpp"

#include <algorithm>

#include "check_documents.hpp"
#include "groups.hpp"
#include "packscope/algorithms.hpp"
#include "packscope/ledger_counts.hpp"
#include "segment_index.hpp"
#include "text.hpp"
#include "window_rules.hpp"

namespace packscope {
namespace {

template <class... Parts>
Error broken(std::uint64_t document, const Parts&... parts) {
  return {ErrorCode::invalid_plan, concat(parts...), document};
}

class Validator {
 public:
  Validator(const Plan& plan, const Documents& documents, const SourceGroups& groups)
      : plan_(plan), documents_(documents), groups_(groups), rules_(plan.options) {}

  Status check() const {
    if (auto status = check_offsets(); !status) return status;
    if (auto status = check_windows(); !status) return status;
    if (auto status = check_coverage(); !status) return status;
    return check_ledger();
  }

 private:
  [[nodiscard]] bool duplicate(std::size_t document) const {
    return plan_.options.drop_duplicates && !documents_.duplicates.empty() &&
           documents_.duplicates[document] != 0;
  }

  [[nodiscard]] std::uint32_t source(std::size_t document) const {
    return documents_.sources.empty() ? 0 : documents_.sources[document];
  }

  // Which flush a document belongs to; 0 where the order of reading is not known.
  [[nodiscard]] std::uint64_t flush_of(std::uint32_t document) const {
    if (!plan_.options.flush_every || plan_.options.shuffle_documents) return 0;
    return document / *plan_.options.flush_every;
  }

  // The offset after the last token that may stand in a window, its separator included.
  [[nodiscard]] std::uint64_t end_offset(const DocumentLayout& layout) const {
    return std::uint64_t{layout.end_token} + rules_.bos + rules_.separator;
  }

  [[nodiscard]] Status check_offsets() const {
    const auto& offsets = plan_.window_offsets;
    if (offsets.empty() || offsets.front() != 0)
      return broken(kNoDocument, "window_offsets does not begin with 0");
    for (std::size_t w = 1; w < offsets.size(); ++w) {
      if (offsets[w] < offsets[w - 1]) {
        return broken(kNoDocument, "window_offsets falls from ", offsets[w - 1], " to ", offsets[w],
                      " at window ", w - 1);
      }
    }
    if (offsets.back() != plan_.segments.size()) {
      return broken(kNoDocument, "window_offsets ends at ", offsets.back(), ", but there are ",
                    plan_.segments.size(), " segments");
    }
    return {};
  }

  [[nodiscard]] Status check_windows() const {
    const std::uint64_t first_filler =
        plan_.window_count() - std::min(plan_.ledger.filler_windows, plan_.window_count());
    for (std::uint64_t w = 0; w < plan_.window_count(); ++w) {
      const std::span<const Segment> window = plan_.window(w);
      if (window.empty() != (w >= first_filler)) {
        return broken(kNoDocument, "window ", w, window.empty() ? " holds no document" : " holds documents",
                      ", but the last ", plan_.ledger.filler_windows, " of ", plan_.window_count(),
                      " windows are the filler windows");
      }
      if (auto status = check_window(w, window); !status) return status;
    }
    return check_window_count();
  }

  [[nodiscard]] Status check_window_count() const {
    const std::uint32_t multiple = plan_.options.window_multiple;
    if (plan_.window_count() % multiple == 0 && plan_.ledger.filler_windows < multiple) return {};
    return broken(kNoDocument, plan_.window_count(), " windows with ", plan_.ledger.filler_windows,
                  " filler windows do not follow window_multiple ", multiple);
  }

  [[nodiscard]] Status check_window(std::uint64_t w, std::span<const Segment> window) const {
    std::uint64_t positions = 0;
    for (std::size_t i = 0; i < window.size(); ++i) {
      if (auto status = check_segment(w, window[i]); !status) return status;
      if (i > 0 && window[i].document == window[i - 1].document) {
        return broken(window[i].document, "window ", w, ": document ", window[i].document,
                      " has two segments in it");
      }
      const std::uint32_t first_group = groups_.group_of_source[source(window.front().document)];
      if (groups_.group_of_source[source(window[i].document)] != first_group) {
        return broken(window[i].document, "window ", w, ": documents ", window.front().document, " and ",
                      window[i].document, " are of different groups, against homogeneity=",
                      get_option(plan_.options, "homogeneity"));
      }
      if (flush_of(window[i].document) != flush_of(window.front().document)) {
        return broken(window[i].document, "window ", w, ": documents ", window.front().document, " and ",
                      window[i].document, " share it across a flush, against flush_every ",
                      *plan_.options.flush_every);
      }
      positions += rules_.positions(window[i].length);
    }
    if (positions > rules_.window) {
      return broken(kNoDocument, "window ", w, ": its segments take ", positions,
                    " positions, more than its ", rules_.window);
    }
    if (window.size() > plan_.options.max_documents_per_window) {
      return broken(kNoDocument, "window ", w, ": ", window.size(),
                    " documents, more than max_documents_per_window ",
                    plan_.options.max_documents_per_window);
    }
    return {};
  }

  [[nodiscard]] Status check_segment(std::uint64_t w, const Segment& segment) const {
    const std::uint32_t document = segment.document;
    if (document >= documents_.lengths.size()) {
      return broken(document, "window ", w, ": document ", document, " does not exist; there are ",
                    documents_.lengths.size());
    }
    const DocumentLayout layout = rules_.layout(documents_.lengths[document]);
    if (layout.kept() == 0 || duplicate(document)) {
      return broken(document, "window ", w, ": document ", document, " of ", documents_.lengths[document],
                    " tokens should not be in the plan");
    }
    const std::uint64_t end = std::uint64_t{segment.document_offset} + segment.length;
    if (segment.length == 0 || segment.document_offset < layout.first_token || end > end_offset(layout)) {
      return broken(document, "window ", w, ": segment [", segment.document_offset, ", ", end,
                    ") of document ", document, " is not inside [", layout.first_token, ", ",
                    end_offset(layout), ")");
    }
    // Before positions are counted, which in 32 bits a longer segment could pass.
    if (segment.length > rules_.window) {
      return broken(document, "window ", w, ": a segment of ", segment.length, " tokens of document ",
                    document, " is longer than the window of ", rules_.window);
    }
    return {};
  }

  [[nodiscard]] Status check_coverage() const {
    const SegmentIndex index(plan_, documents_.lengths.size());
    for (std::size_t d = 0; d < documents_.lengths.size(); ++d) {
      if (documents_.lengths[d] == 0 || duplicate(d)) continue;
      if (auto status = check_document(d, index.of(d)); !status) return status;
    }
    return {};
  }

  // Segments follow each other without overlap or gap and end where the document ends.
  [[nodiscard]] Status check_document(std::size_t document, std::span<const IndexedSegment> segments) const {
    const DocumentLayout layout = rules_.layout(documents_.lengths[document]);
    if (layout.kept() == 0) return {};
    std::uint64_t next = layout.first_token;
    for (const IndexedSegment& segment : segments) {
      if (segment.document_offset != next) {
        const bool twice = segment.document_offset < next;
        return broken(document, "window ", segment.window, ": document ", document, " goes on at offset ",
                      segment.document_offset, " instead of ", next, "; tokens stand ",
                      twice ? "twice" : "in no window");
      }
      next += segment.length;
    }
    return check_end(document, segments, next, layout);
  }

  [[nodiscard]] Status check_end(std::size_t document, std::span<const IndexedSegment> segments,
                                 std::uint64_t next, const DocumentLayout& layout) const {
    const std::uint64_t end = end_offset(layout);
    const bool wrap = plan_.options.algorithm == Algorithm::wrap;
    if (wrap && plan_.options.tail == Tail::drop) return {};  // the ledger says what a dropped tail held
    const bool ends_window = !segments.empty() && segments.back().last_in_window;
    const bool separator_unwritten = rules_.between && next + 1 == end && (wrap || ends_window);
    if (next != end && !separator_unwritten) {
      return broken(document, "document ", document, ": its tokens from offset ", next, " to ", end,
                    " stand in no window");
    }
    if (rules_.between && !wrap && next == end && ends_window) {
      return broken(document, "window ", segments.back().window, ": document ", document,
                    " ends it with a separator, against separator=between");
    }
    return {};
  }

  [[nodiscard]] std::vector<Ledger> recount() const {
    std::vector<Ledger> rows(groups_.group_of_source.size());
    for (std::size_t d = 0; d < documents_.lengths.size(); ++d) {
      ++rows[source(d)].documents;
      rows[source(d)].tokens += documents_.lengths[d];
    }
    for (const DocumentFate& fate : document_fates(plan_, documents_)) {
      Ledger& row = rows[source(fate.document)];
      row.tokens_dropped += fate.tokens_dropped;
      switch (fate.kind) {
        case DocumentFate::Kind::empty:
          ++row.empty_documents;
          break;
        case DocumentFate::Kind::dropped:
          ++row.dropped_documents;
          break;
        case DocumentFate::Kind::truncated:
          ++row.truncated_documents;
          break;
        case DocumentFate::Kind::split:
          ++row.split_documents;
          break;
        case DocumentFate::Kind::duplicate:
          ++row.duplicate_documents;
          break;
      }
    }
    // What stands in windows beyond the documents' own tokens is separators.
    for (const Segment& segment : plan_.segments)
      rows[source(segment.document)].separators_added += segment.length;
    for (Ledger& row : rows) row.separators_added -= row.tokens - row.tokens_dropped;
    return rows;
  }

  [[nodiscard]] Status check_ledger() const {
    const std::vector<Ledger> rows = recount();
    if (plan_.ledger_by_source.size() != rows.size()) {
      return broken(kNoDocument, "ledger_by_source has ", plan_.ledger_by_source.size(), " rows for ",
                    rows.size(), " sources");
    }
    Ledger total;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string place =
          plan_.source_names.empty() ? "" : concat(" of source '", plan_.source_names[i], "'");
      if (auto status = compare(plan_.ledger_by_source[i], rows[i], place); !status) return status;
      total += rows[i];
    }
    total.filler_windows = plan_.ledger.filler_windows;  // checked with the windows
    return compare(plan_.ledger, total, "");
  }

  static Status compare(const Ledger& ledger, const Ledger& counted, const std::string& place) {
    for (const auto& [name, count] : kLedgerCounts) {
      if (ledger.*count != counted.*count) {
        return broken(kNoDocument, "the ledger", place, " says ", name, " ", ledger.*count,
                      ", but the plan has ", counted.*count);
      }
    }
    return {};
  }

  const Plan& plan_;
  const Documents& documents_;
  const SourceGroups& groups_;
  const WindowRules rules_;
};

}  // namespace

Status validate(const Plan& plan, const Documents& documents) {
  if (auto status = check_options(plan.options); !status) return status;
  const Result<SourceGroups> groups = resolve_groups(plan.options, plan.source_names);
  if (!groups) return groups.error();
  Documents named = documents;
  named.source_names = plan.source_names;
  if (auto status = check_documents(named, plan.options); !status) return status;
  return Validator(plan, documents, *groups).check();
}

}  // namespace packscope
