// SPDX-License-Identifier: MIT
// Files that survive a power cut: what was written reaches the disk before a rename gives it its name.
#pragma once

#include <filesystem>

#include "packscope/result.hpp"

namespace packscope::native {

// Waits until the file, or the folder with everything in it, is on the disk.
Status make_durable(const std::filesystem::path& path);

// Waits until the name that `path` has in its folder is on the disk.
Status make_durable_name(const std::filesystem::path& path);

// Makes `from` durable, gives it the name `to` beside it, and makes that durable too.
Status move_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace packscope::native
