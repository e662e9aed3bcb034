// SPDX-License-Identifier: MIT
#include "corpus_data.hpp"

namespace packscope::native {

void CorpusData::finish() {
  field_views.clear();
  for (const Field& field : fields) field_views.push_back({field.name, field.dtype, field.values});
}

Corpus CorpusData::view() const {
  return {.tokens = tokens,
          .document_offsets = document_offsets,
          .loss_mask = loss_mask,
          .prompt_lengths = prompt_lengths,
          .fields = field_views,
          .sources = sources,
          .source_names = source_names};
}

}  // namespace packscope::native
