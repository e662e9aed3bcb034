// SPDX-License-Identifier: MIT
// pack as one run of several processes under mpirun: the three steps of docs/clusters.md, with the first rank
// planning.
#pragma once

#include "pack_job.hpp"
#include "ranks.hpp"

namespace packscope::cli {

// On every rank. The output has the bytes of a run alone. An error on one rank is printed and ends all of
// them.
Result<int> pack_on_ranks(Result<PackJob> job, native::Ranks& ranks);

}  // namespace packscope::cli
