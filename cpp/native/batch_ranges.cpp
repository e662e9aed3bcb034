// SPDX-License-Identifier: MIT
#include "batch_ranges.hpp"

#include <algorithm>

namespace packscope::native {
namespace {

// A batch counts its cu_seqlens from 0: on disk they go on, and what ends a range begins the next.
void continue_offsets(std::vector<std::uint64_t>& offsets, std::uint64_t base, bool first_range) {
  for (std::uint64_t& offset : offsets) offset += base;
  if (!first_range && !offsets.empty()) offsets.erase(offsets.begin());
}

}  // namespace

Status for_each_range(const Plan& plan, const CorpusData& corpus, std::uint64_t bytes, const TakeRange& take,
                      const WriteProgress& progress) {
  const Corpus view = corpus.view();
  const std::uint64_t windows = plan.window_count();
  const Result<std::uint64_t> step = windows_in(bytes, plan.options, view);
  if (!step) return step.error();
  Batch batch;
  std::uint64_t cu_seqlens_before = 0;
  std::uint64_t first = 0;
  do {
    const WindowRange range{first, std::min(windows, first + *step)};
    if (Status made = materialize_into(batch, plan, view, range); !made) return made;
    continue_offsets(batch.cu_seqlens_offsets, cu_seqlens_before, first == 0);
    cu_seqlens_before += batch.cu_seqlens.size();
    if (Status taken = take(range, batch_arrays(batch, plan, corpus.tokens_known)); !taken) return taken;
    first = range.last;
    if (progress) progress(first, windows);
  } while (first < windows);
  return {};
}

}  // namespace packscope::native
