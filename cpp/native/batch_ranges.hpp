// SPDX-License-Identifier: MIT
// Goes through all windows of a plan a range at a time, with the arrays as they stand on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "batch_arrays.hpp"
#include "corpus_data.hpp"
#include "folder_writer.hpp"

namespace packscope::native {

// Takes the arrays of one range, views that are valid for the call. cu_seqlens_offsets go on from range to
// range; the end of one is the beginning of the next and stands there once.
using TakeRange = std::function<Status(const WindowRange& range, const std::vector<ArrayView>& arrays)>;

// Ranges of about `bytes` bytes of arrays; a plan without windows has one, empty range. Stops at an error.
Status for_each_range(const Plan& plan, const CorpusData& corpus, std::uint64_t bytes, const TakeRange& take,
                      const WriteProgress& progress);

}  // namespace packscope::native
