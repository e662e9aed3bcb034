// SPDX-License-Identifier: MIT
// Key intervals: what a mask is where no cell is asked for.
#include "masks/masked_window.hpp"
#include "text.hpp"

namespace packscope {

Result<std::vector<KeyInterval>> key_intervals(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options) {
  if (Status status = MaskedWindow::check(plan, {window, window + 1}, options); !status)
    return status.error();
  MaskedWindow placed(options);
  if (Status status = placed.place(plan, window); !status) return status.error();
  if (placed.has_gaps()) {
    return invalid_option("document_mask=false with document_multiple ", plan.options.document_multiple,
                          " lets a query attend to several intervals: use block_mask(), attends() or a ",
                          "dense mask");
  }
  std::vector<KeyInterval> intervals(placed.length());
  placed.for_each_query([&](const QueryKeys& at) {
    if (at.keys.begin < at.keys.end) intervals[at.query] = at.keys;
  });
  return intervals;
}

}  // namespace packscope
