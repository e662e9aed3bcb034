// SPDX-License-Identifier: MIT
// What the commands that draw have in common: their flags as values of the core.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "output/plan_reader.hpp"
#include "packscope/masks.hpp"
#include "packscope/render.hpp"

namespace packscope::cli {

// The index of the flag's value among `allowed`; none where it is not given.
Result<std::optional<std::size_t>> choice(const Arguments& arguments, std::string_view flag,
                                          std::span<const std::string> allowed);

// A whole number from `least` to `most`.
Result<std::uint64_t> number_from(const Arguments& arguments, std::string_view flag, std::uint64_t otherwise,
                                  std::uint64_t least, std::uint64_t most);

// The one operand, read.
Result<native::PackedFolder> folder_from(const Arguments& arguments, std::string_view command);

Result<std::uint64_t> window_from(const Arguments& arguments, const Plan& plan);
Result<Theme> theme_from(const Arguments& arguments, Theme otherwise);

// Queries and keys of a block, both 0 where --block-size is not given.
struct Blocks {
  std::uint32_t queries = 0;
  std::uint32_t keys = 0;
};
Result<Blocks> blocks_from(const Arguments& arguments);

// make_picture(), with what the flags can do where it is too large.
Result<Picture> picture_for_file(std::uint64_t width, std::uint64_t height);

// The whole mask of a window as the flags want it.
struct WantedMask {
  std::vector<std::uint32_t> prefix_lengths;  // what view.options looks at
  MaskView view;
};
Result<WantedMask> wanted_mask(const Arguments& arguments, const Plan& plan, Theme theme);

}  // namespace packscope::cli
