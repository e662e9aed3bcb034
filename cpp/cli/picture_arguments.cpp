// SPDX-License-Identifier: MIT
#include "picture_arguments.hpp"

#include <algorithm>
#include <utility>

#include "message.hpp"

namespace packscope::cli {

using native::bad_usage;

Result<std::optional<std::size_t>> choice(const Arguments& arguments, std::string_view flag,
                                          std::span<const std::string> allowed) {
  if (!arguments.has(flag)) return std::optional<std::size_t>();
  const std::string value = arguments.get(flag);
  const auto found = std::find(allowed.begin(), allowed.end(), value);
  if (found != allowed.end()) return std::optional<std::size_t>(found - allowed.begin());
  std::string names;
  for (const std::string& name : allowed) names += (names.empty() ? "" : "|") + name;
  return bad_usage("--", flag, " '", value, "' must be one of ", names, did_you_mean(value, allowed));
}

Result<std::uint64_t> number_from(const Arguments& arguments, std::string_view flag, std::uint64_t otherwise,
                                  std::uint64_t least, std::uint64_t most) {
  if (!arguments.has(flag)) return otherwise;
  return parse_number(flag, arguments.get(flag), least, most);
}

Result<native::PackedFolder> folder_from(const Arguments& arguments, std::string_view command) {
  if (arguments.operands.size() != 1) {
    return bad_usage(command, " needs one output folder of packscope pack");
  }
  return native::read_packed_folder(arguments.operands[0]);
}

Result<std::uint64_t> window_from(const Arguments& arguments, const Plan& plan) {
  if (plan.window_count() == 0) return bad_usage("there is no window to show: the folder holds none");
  return number_from(arguments, "window", 0, 0, plan.window_count() - 1);
}

Result<Theme> theme_from(const Arguments& arguments, Theme otherwise) {
  const std::string names[] = {"light", "dark"};
  Result<std::optional<std::size_t>> chosen = choice(arguments, "theme", names);
  if (!chosen) return chosen.error();
  if (!*chosen) return otherwise;
  return **chosen == 0 ? Theme::light : Theme::dark;
}

namespace {

Result<MaskOptions> mask_options_from(const Arguments& arguments) {
  MaskOptions options;
  const std::string masks[] = {"causal", "bidirectional"};
  Result<std::optional<std::size_t>> mask = choice(arguments, "mask", masks);
  if (!mask) return mask.error();
  if (mask->value_or(0) == 1) options.mask = Mask::bidirectional;

  const std::string queries[] = {"self", "masked"};
  Result<std::optional<std::size_t>> padding = choice(arguments, "padding-queries", queries);
  if (!padding) return padding.error();
  if (padding->value_or(0) == 1) options.padding_queries = PaddingQueries::masked;

  options.document_mask = !arguments.has("no-document-mask");
  if (!arguments.has("sliding-window")) return options;
  Result<std::uint64_t> reach = number_from(arguments, "sliding-window", 0, 1, UINT32_MAX);
  if (!reach) return reach.error();
  options.sliding_window = static_cast<std::uint32_t>(*reach);
  return options;
}

// The same prefix for every document of the window.
Result<std::vector<std::uint32_t>> prefix_lengths_from(const Arguments& arguments,
                                                       std::span<const Segment> segments) {
  const Result<std::uint64_t> prefix = number_from(arguments, "prefix-length", 0, 1, kMaxContextLength);
  if (!prefix) return prefix.error();
  if (*prefix == 0 || segments.empty()) return std::vector<std::uint32_t>();
  const auto before = [](const Segment& a, const Segment& b) { return a.document < b.document; };
  const auto last = std::max_element(segments.begin(), segments.end(), before);
  return std::vector<std::uint32_t>(std::size_t{last->document} + 1, static_cast<std::uint32_t>(*prefix));
}

}  // namespace

Result<Blocks> blocks_from(const Arguments& arguments) {
  if (!arguments.has("block-size")) return Blocks{};
  const std::string given = arguments.get("block-size");
  const std::vector<std::string> sides = split_list(given, 'x');
  const auto marks = static_cast<std::size_t>(std::count(given.begin(), given.end(), 'x'));
  if (sides.size() != marks + 1 || sides.size() > 2) {
    return bad_usage("--block-size '", given, "' must be N, or QxK such as 256x128");
  }
  Blocks blocks;
  for (std::uint32_t* side : {&blocks.queries, &blocks.keys}) {
    const std::string& text = side == &blocks.queries ? sides.front() : sides.back();
    Result<std::uint64_t> number = parse_number("block-size", text, 1, kMaxContextLength);
    if (!number) return number.error();
    *side = static_cast<std::uint32_t>(*number);
  }
  return blocks;
}

Result<Picture> picture_for_file(std::uint64_t width, std::uint64_t height) {
  if (width * height <= kMaxPicturePixels)
    return make_picture(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
  return Error{ErrorCode::too_large,
               concat("a picture of ", width, " x ", height, " pixels is above the limit of ",
                      kMaxPicturePixels, "; --width and --height make it smaller")};
}

Result<WantedMask> wanted_mask(const Arguments& arguments, const Plan& plan, Theme theme) {
  Result<std::uint64_t> window = window_from(arguments, plan);
  if (!window) return window.error();
  Result<MaskOptions> options = mask_options_from(arguments);
  if (!options) return options.error();
  Result<std::vector<std::uint32_t>> prefix_lengths = prefix_lengths_from(arguments, plan.window(*window));
  if (!prefix_lengths) return prefix_lengths.error();
  Result<Blocks> blocks = blocks_from(arguments);
  if (!blocks) return blocks.error();
  const FineRange all = fine_range(0, plan.options.context_length);
  WantedMask wanted{std::move(*prefix_lengths), MaskView{.window = *window,
                                                         .queries = all,
                                                         .keys = all,
                                                         .block_queries = blocks->queries,
                                                         .block_keys = blocks->keys,
                                                         .options = *options,
                                                         .theme = theme}};
  wanted.view.options.prefix_lengths = wanted.prefix_lengths;
  return wanted;
}

}  // namespace packscope::cli
