// SPDX-License-Identifier: MIT
// Which sources may share a window.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "packscope/options.hpp"
#include "packscope/result.hpp"

namespace packscope {

struct SourceGroups {
  std::vector<std::uint32_t> group_of_source;  // one entry where there are no source names
  std::size_t count = 1;

  // The next source. Error: it is in no group.
  Status add(const Options& options, const std::string& source);
};

// Error: a source in no group.
Result<SourceGroups> resolve_groups(const Options& options, std::span<const std::string> source_names);

}  // namespace packscope
