// SPDX-License-Identifier: MIT
#include "masks/masked_window.hpp"

#include "text.hpp"

namespace packscope {
namespace {

Status check_prefix_lengths(std::span<const SegmentPositions> segments, const MaskOptions& options) {
  if (options.prefix_lengths.empty()) return {};
  for (const SegmentPositions& segment : segments) {
    if (segment.document < options.prefix_lengths.size()) continue;
    return Error{ErrorCode::length_mismatch,
                 concat("prefix_lengths has ", options.prefix_lengths.size(),
                        " entries, but the window holds document ", segment.document,
                        ": give one entry for each document"),
                 segment.document};
  }
  return {};
}

}  // namespace

Status MaskedWindow::check(const Plan& plan, WindowRange windows, const MaskOptions& options) {
  if (Status status = check_options(plan.options); !status) return status;
  if (Status status = check_mask_options(options); !status) return status;
  if (windows.first <= windows.last && windows.last <= plan.window_count()) return {};
  return invalid_argument("windows [", windows.first, ", ", windows.last, ") are not in the plan, which has ",
                          plan.window_count(), " windows");
}

Status MaskedWindow::place(const Plan& plan, std::uint64_t window) {
  const WindowRules rules(plan.options);
  length_ = plan.options.context_length;
  bos_ = rules.bos;
  has_gaps_ = !options_.document_mask && rules.multiple > 1;
  if (Status status = place_window(plan, window, rules, segments_); !status) return status;
  cut_positions(segments_, length_);
  return check_prefix_lengths(segments_, options_);
}

KeyInterval MaskedWindow::without_outer_padding(KeyInterval keys) const {
  const auto first =
      std::partition_point(segments_.begin(), segments_.end(),
                           [&](const SegmentPositions& segment) { return segment.end <= keys.begin; });
  const auto after_last = std::partition_point(
      first, segments_.end(), [&](const SegmentPositions& segment) { return segment.begin < keys.end; });
  return {std::max(keys.begin, first->begin), std::min(keys.end, (after_last - 1)->end)};
}

}  // namespace packscope
