// SPDX-License-Identifier: MIT
#include "groups.hpp"

#include <algorithm>
#include <numeric>

#include "text.hpp"

namespace packscope {
namespace {

Result<std::uint32_t> group_of(const std::vector<Group>& groups, const std::string& source) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::vector<std::string>& sources = groups[i].sources;
    if (std::find(sources.begin(), sources.end(), source) != sources.end())
      return static_cast<std::uint32_t>(i);
  }
  return Error{ErrorCode::unknown_source,
               concat("source '", source, "' is in no group; add it to one of groups")};
}

}  // namespace

Result<SourceGroups> resolve_groups(const Options& options, std::span<const std::string> source_names) {
  SourceGroups result;
  result.group_of_source.assign(std::max<std::size_t>(source_names.size(), 1), 0);
  if (options.homogeneity == Homogeneity::none) return result;
  if (source_names.empty()) return result;  // check_documents refuses documents without a source
  if (options.homogeneity == Homogeneity::full) {
    result.count = source_names.size();
    std::iota(result.group_of_source.begin(), result.group_of_source.end(), 0u);
    return result;
  }
  result.count = options.groups.size();
  for (std::size_t source = 0; source < source_names.size(); ++source) {
    const Result<std::uint32_t> group = group_of(options.groups, source_names[source]);
    if (!group) return group.error();
    result.group_of_source[source] = *group;
  }
  return result;
}

}  // namespace packscope
