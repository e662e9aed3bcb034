// SPDX-License-Identifier: MIT
#include "groups.hpp"

#include <algorithm>

#include "text.hpp"

namespace packscope {
namespace {

Result<std::uint32_t> group_that_has(const std::string& source, const std::vector<Group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::vector<std::string>& sources = groups[i].sources;
    if (std::find(sources.begin(), sources.end(), source) != sources.end())
      return static_cast<std::uint32_t>(i);
  }
  return Error{ErrorCode::unknown_source,
               concat("source '", source, "' is in no group; add it to one of groups")};
}

}  // namespace

Status SourceGroups::add(const Options& options, const std::string& source) {
  if (options.homogeneity != Homogeneity::group) {
    // Each its own, or all the same.
    const bool each = options.homogeneity == Homogeneity::full;
    group_of_source.push_back(each ? static_cast<std::uint32_t>(group_of_source.size()) : 0);
    count = each ? group_of_source.size() : 1;
    return {};
  }
  const Result<std::uint32_t> group = group_that_has(source, options.groups);
  if (!group) return group.error();
  group_of_source.push_back(*group);
  count = options.groups.size();
  return {};
}

Result<SourceGroups> resolve_groups(const Options& options, std::span<const std::string> source_names) {
  SourceGroups result;
  for (const std::string& source : source_names) {
    if (Status added = result.add(options, source); !added) return added.error();
  }
  // One source without a name; check_documents refuses it where groups need one.
  if (source_names.empty()) result.group_of_source.push_back(0);
  return result;
}

}  // namespace packscope
