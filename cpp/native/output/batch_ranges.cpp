// SPDX-License-Identifier: MIT
#include "output/batch_ranges.hpp"

#include <algorithm>

#include "in_order.hpp"

namespace packscope::native {
namespace {

struct RangeBatch {
  WindowRange range;
  Batch batch;
};

}  // namespace

void continue_offsets(std::vector<std::uint64_t>& offsets, std::uint64_t base, bool first_range) {
  for (std::uint64_t& offset : offsets) offset += base;
  if (!first_range && !offsets.empty()) offsets.erase(offsets.begin());
}

Status for_each_range(const Plan& plan, const CorpusData& corpus, WindowRange windows, std::uint64_t bytes,
                      const WorkShare& share, const TakeRange& take) {
  const Corpus view = corpus.view();
  const Result<std::uint64_t> step = windows_in(bytes, plan.options, view);
  if (!step) return step.error();

  std::uint64_t next = windows.first;
  bool any = false;
  const auto make = [&](RangeBatch& piece) -> Result<bool> {
    if (any && next == windows.last) return false;
    any = true;
    piece.range = {next, std::min(windows.last, next + *step)};
    next = piece.range.last;
    return true;
  };
  const auto work = [&](RangeBatch& piece) { return materialize_into(piece.batch, plan, view, piece.range); };
  std::uint64_t cu_seqlens_before = 0;
  const auto take_batch = [&](RangeBatch& piece) -> Status {
    Batch& batch = piece.batch;
    continue_offsets(batch.cu_seqlens_offsets, cu_seqlens_before, piece.range.first == windows.first);
    cu_seqlens_before += batch.cu_seqlens.size();
    Status taken = take(piece.range, batch_arrays(batch, plan, corpus.tokens_known));
    if (taken && share.progress) share.progress(piece.range.last - windows.first, windows.size());
    return taken;
  };
  const unsigned threads = windows.size() > *step ? share.threads : 1;  // one piece needs no help
  return in_order<RangeBatch>(threads, make, work, take_batch);
}

}  // namespace packscope::native
