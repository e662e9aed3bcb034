// SPDX-License-Identifier: MIT
// The table of the options of masks.
#include "option_rows.hpp"
#include "packscope/masks.hpp"

namespace packscope {
namespace {

constexpr bool kPlans = false;

constexpr OptionRow<MaskOptions> kRows[] = {
    choice<&MaskOptions::mask, "causal|bidirectional">(
        {"mask", "Whether a query sees only what stands before it, or both ways.", kPlans}),
    flag<&MaskOptions::document_mask>(
        {"document_mask", "Keep documents apart; false shows what leaks without that.", kPlans}),
    optional_number<&MaskOptions::sliding_window, 1>(
        {"sliding_window", "A query sees keys less than this far away; 1 is itself alone.", kPlans}),
    choice<&MaskOptions::padding_queries, "self|masked">(
        {"padding_queries", "What a query on padding sees: itself, so that softmax stays finite, or nothing.",
         kPlans}),
};

constexpr auto kInfos = infos_of(kRows);

}  // namespace

std::span<const OptionInfo> mask_option_table() { return kInfos; }

Status set_mask_option(MaskOptions& options, std::string_view name, std::string_view value) {
  return set_by_name(kRows, options, name, value);
}

std::string get_mask_option(const MaskOptions& options, std::string_view name) {
  return get_by_name(kRows, options, name);
}

Status check_mask_options(const MaskOptions& options) {
  if (options.sliding_window != 0u) return {};
  return invalid_option("sliding_window is 0: it counts the token itself, so it must be 1 or more");
}

}  // namespace packscope
