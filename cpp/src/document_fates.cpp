// SPDX-License-Identifier: MIT
// document_fates(): which documents were not packed whole, worked out from the plan.
#include <algorithm>

#include "packscope/plan.hpp"
#include "segment_index.hpp"
#include "window_rules.hpp"

namespace packscope {
namespace {

// Tokens of the document itself, without BOS and separators, that its segments hold.
std::uint64_t tokens_placed(std::span<const IndexedSegment> segments, const DocumentLayout& layout,
                            const WindowRules& rules) {
  const std::uint64_t begin = std::uint64_t{layout.first_token} + rules.bos;
  const std::uint64_t end = std::uint64_t{layout.end_token} + rules.bos;
  std::uint64_t tokens = 0;
  for (const IndexedSegment& segment : segments) {
    const std::uint64_t from = std::max<std::uint64_t>(segment.document_offset, begin);
    const std::uint64_t to = std::min(std::uint64_t{segment.document_offset} + segment.length, end);
    if (from < to) tokens += to - from;
  }
  return tokens;
}

}  // namespace

std::string_view document_fate_name(DocumentFate::Kind kind) {
  constexpr std::string_view kNames[] = {"empty", "dropped", "truncated", "split", "duplicate"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<DocumentFate> document_fates(const Plan& plan, const Documents& documents) {
  using Kind = DocumentFate::Kind;
  const WindowRules rules(plan.options);
  const SegmentIndex index(plan, documents.lengths.size());
  std::vector<DocumentFate> fates;
  for (std::size_t d = 0; d < documents.lengths.size(); ++d) {
    const auto document = static_cast<std::uint32_t>(d);
    const std::uint32_t n = documents.lengths[d];
    const std::span<const IndexedSegment> segments = index.of(d);
    if (n == 0) {
      fates.push_back({document, Kind::empty, 0});
      continue;
    }
    if (plan.options.drop_duplicates && !documents.duplicates.empty() && documents.duplicates[d] != 0) {
      fates.push_back({document, Kind::duplicate, n});
      continue;
    }
    if (segments.size() > 1) fates.push_back({document, Kind::split, 0});
    const std::uint64_t placed = tokens_placed(segments, rules.layout(n), rules);
    if (placed == 0) {
      fates.push_back({document, Kind::dropped, n});
    } else if (placed < n) {
      fates.push_back({document, Kind::truncated, n - placed});
    }
  }
  return fates;
}

}  // namespace packscope
