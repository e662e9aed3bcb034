// SPDX-License-Identifier: MIT
// Goes through windows of a plan a range at a time, with the arrays as they stand on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "input/corpus_data.hpp"
#include "output/batch_arrays.hpp"
#include "output/stored_as.hpp"

namespace packscope::native {

// Told how many windows of how many are done.
using WriteProgress = std::function<void(std::uint64_t done_windows, std::uint64_t total_windows)>;

// How the work is cut and shared out: nothing of it shows in the result.
struct WorkShare {
  unsigned threads = 1;
  WriteProgress progress;
};

// A batch on its way to the disk.
struct StoredBatch {
  Batch batch;
  std::vector<std::uint16_t> narrow_ids;

  // Call when the batch is made. Error: an id too large for `ids`, in the batch's windows from
  // `first_window` on.
  Status store_ids(IdType ids, std::uint64_t first_window);
  [[nodiscard]] std::vector<ArrayView> arrays(const Plan& plan, bool tokens_known, IdType ids) const {
    return batch_arrays(batch, plan, tokens_known, ids == IdType::uint16 ? &narrow_ids : nullptr);
  }
};

// Takes the arrays of one range, views that are valid for the call. cu_seqlens_offsets go on from range to
// range; the end of one is the beginning of the next and stands there once.
using TakeRange = std::function<Status(const WindowRange& range, const std::vector<ArrayView>& arrays)>;

// Of arrays in a piece of work.
inline constexpr std::uint64_t kRangeBytes = 16 << 20;

// Ranges of about kRangeBytes, in order; no windows are one, empty range. Stops at an error, as
// where an id is too large for `ids`.
Status for_each_range(const Plan& plan, const CorpusData& corpus, WindowRange windows, IdType ids,
                      const WorkShare& share, const TakeRange& take);

// Those windows of a list as a list of their own.
void copy_windows(const WindowList& list, WindowRange windows, WindowList& to);

// A batch counts its cu_seqlens from 0: on disk they go on behind the `base` before it, and what ends a range
// begins the next.
void continue_offsets(std::vector<std::uint64_t>& offsets, std::uint64_t base, bool first_range);

}  // namespace packscope::native
