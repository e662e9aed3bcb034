// SPDX-License-Identifier: MIT
#include "stream/stream_output.hpp"

namespace packscope::native {

Status ClosedWindows::materialize(IdType ids) {
  BatchFields fields;
  fields.input_ids = fields.labels = tokens.known;
  const WindowRange all{0, plan.window_count()};
  Status made = materialize_into(stored.batch, plan, tokens.view(), all, fields);
  return made ? stored.store_ids(ids, first_window) : made;
}

}  // namespace packscope::native
