// SPDX-License-Identifier: MIT
#include "output/batch_ranges.hpp"

#include <algorithm>

#include "in_order.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

struct RangeBatch {
  WindowRange range;
  StoredBatch stored;
};

Error too_large(const Batch& batch, std::uint64_t first_window) {
  std::uint64_t at = 0;
  while (static_cast<std::uint32_t>(batch.input_ids[at]) <= kLargestUint16) ++at;
  return bad_data("window ", first_window + at / batch.context_length, ", position ",
                  at % batch.context_length, ": token id ", batch.input_ids[at],
                  " does not fit uint16, which ends at ", kLargestUint16, "; use --input-ids-dtype int32");
}

}  // namespace

Status StoredBatch::store_ids(IdType ids, std::uint64_t first_window) {
  if (ids == IdType::int32) return {};
  narrow_ids.resize(batch.input_ids.size());
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < narrow_ids.size(); ++i) {
    const auto id = static_cast<std::uint32_t>(batch.input_ids[i]);
    narrow_ids[i] = static_cast<std::uint16_t>(id);
    seen |= id;
  }
  return seen <= kLargestUint16 ? Status() : too_large(batch, first_window);
}

void copy_windows(const WindowList& list, WindowRange windows, WindowList& to) {
  const auto begin = list.window_offsets.begin() + static_cast<std::ptrdiff_t>(windows.first);
  const auto end = list.window_offsets.begin() + static_cast<std::ptrdiff_t>(windows.last);
  to.segments.assign(list.segments.begin() + static_cast<std::ptrdiff_t>(*begin),
                     list.segments.begin() + static_cast<std::ptrdiff_t>(*end));
  to.window_offsets.clear();
  for (auto offset = begin; offset <= end; ++offset) to.window_offsets.push_back(*offset - *begin);
}

void continue_offsets(std::vector<std::uint64_t>& offsets, std::uint64_t base, bool first_range) {
  for (std::uint64_t& offset : offsets) offset += base;
  if (!first_range && !offsets.empty()) offsets.erase(offsets.begin());
}

Status for_each_range(const Plan& plan, const CorpusData& corpus, WindowRange windows, IdType ids,
                      const WorkShare& share, const TakeRange& take) {
  const Corpus view = corpus.view();
  const Result<std::uint64_t> step = windows_in(kRangeBytes, plan.options, view);
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
  const auto work = [&](RangeBatch& piece) -> Status {
    Status made = materialize_into(piece.stored.batch, plan, view, piece.range);
    return made ? piece.stored.store_ids(ids, piece.range.first) : made;
  };
  std::uint64_t cu_seqlens_before = 0;
  const auto take_batch = [&](RangeBatch& piece) -> Status {
    Batch& batch = piece.stored.batch;
    continue_offsets(batch.cu_seqlens_offsets, cu_seqlens_before, piece.range.first == windows.first);
    cu_seqlens_before += batch.cu_seqlens.size();
    Status taken = take(piece.range, piece.stored.arrays(plan, corpus.tokens_known, ids));
    if (taken && share.progress) share.progress(piece.range.last - windows.first, windows.size());
    return taken;
  };
  const unsigned threads = windows.size() > *step ? share.threads : 1;  // one piece needs no help
  return in_order<RangeBatch>(threads, make, work, take_batch);
}

}  // namespace packscope::native
