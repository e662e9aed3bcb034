// SPDX-License-Identifier: MIT
// packscope show: one window in the terminal, as a row of tiles, a list of segments and a small mask.
#include <algorithm>

#include "command.hpp"
#include "files/json_writer.hpp"
#include "message.hpp"
#include "picture_arguments.hpp"
#include "plain_mask.hpp"
#include "terminal_picture.hpp"

namespace packscope::cli {
namespace {

using native::ColorDepth;

constexpr std::uint32_t kUsualColumns = 80;
constexpr std::uint32_t kWidestColumns = 200;
constexpr std::uint32_t kMaskColumns = 64;
constexpr std::string_view kIndent = "  ";

struct Scene {
  const PlanOutline* outline = nullptr;
  MaskView mask;  // also says which window
  ColorDepth depth = ColorDepth::none;
  std::uint32_t columns = 0;  // of a picture

  [[nodiscard]] std::uint64_t window() const { return mask.window; }
  [[nodiscard]] std::span<const Segment> segments() const { return outline->plan().window(window()); }
  [[nodiscard]] const Palette& colors() const { return palette(mask.theme); }
};

Result<ColorDepth> depth_from(const Arguments& arguments) {
  const std::string names[] = {"auto", "always", "never"};
  Result<std::optional<std::size_t>> chosen = choice(arguments, "color", names);
  if (!chosen) return chosen.error();
  if (chosen->value_or(0) == 1) return ColorDepth::full;
  return chosen->value_or(0) == 2 ? ColorDepth::none : native::terminal_colors();
}

Result<std::uint32_t> columns_from(const Arguments& arguments) {
  const std::uint32_t margin = 2 * static_cast<std::uint32_t>(kIndent.size());
  const std::uint32_t usual = std::min(native::terminal_columns().value_or(kUsualColumns), kWidestColumns);
  Result<std::uint64_t> width = number_from(arguments, "width", std::max(usual, 20u), 20, 1000);
  if (!width) return width.error();
  return static_cast<std::uint32_t>(*width) - margin;
}

std::string heading(const Scene& scene) {
  const std::uint32_t padding = scene.outline->padding(scene.window());
  const std::uint32_t length = scene.outline->window_length();
  std::string text =
      "window " + thousands(scene.window()) + " of " + thousands(scene.outline->window_count());
  text += ": " + counted(scene.segments().size(), "segment") + ", " + counted(length - padding, "token");
  return text + ", " + (padding == 0 ? "no padding" : thousands(padding) + " of padding") + "\n\n";
}

// What stands in each column: a segment, or -1 for padding.
std::vector<std::int64_t> columns_of(const Scene& scene) {
  const RowsView view{fine_range(scene.window(), scene.window() + 1),
                      fine_range(0, scene.outline->window_length()), scene.mask.theme};
  const Canvas canvas{{}, scene.columns, 1};
  std::vector<std::int64_t> columns;
  for (std::uint32_t x = 0; x < scene.columns; ++x) {
    const std::optional<RowsHit> hit = rows_hit(*scene.outline, view, canvas, x, 0);
    columns.push_back(hit && hit->segment ? std::int64_t{*hit->segment} : -1);
  }
  // As in pictures, a little padding is seen, too.
  if (scene.outline->tail(scene.window()) < scene.outline->window_length()) columns.back() = -1;
  return columns;
}

// The document's number where it fits.
std::string tile_label(const Scene& scene, std::int64_t segment, std::size_t width) {
  std::string label = std::to_string(scene.segments()[static_cast<std::size_t>(segment)].document);
  if (label.size() + 2 > width) label.clear();
  label.insert(0, width > label.size() ? 1 : 0, ' ');
  label.resize(width, ' ');
  return label;
}

// Without colours a bar begins each tile.
std::string plain_tile(std::string label) {
  label.front() = '|';
  return label;
}

std::string tiles_text(const Scene& scene) {
  const std::vector<std::int64_t> columns = columns_of(scene);
  ColorText out(scene.depth);
  out.add_plain(kIndent);
  for (std::size_t first = 0; first < columns.size();) {
    const auto next = std::find_if(columns.begin() + static_cast<std::ptrdiff_t>(first), columns.end(),
                                   [&](std::int64_t segment) { return segment != columns[first]; });
    const std::size_t width = static_cast<std::size_t>(next - columns.begin()) - first;
    if (columns[first] < 0) {
      out.add(std::string(width, '/'), scene.colors().hatch, scene.colors().padding);
    } else {
      const std::string label = tile_label(scene, columns[first], width);
      const std::uint32_t color = document_color(scene.window(), static_cast<std::uint64_t>(columns[first]));
      out.add(scene.depth == ColorDepth::none ? plain_tile(label) : label, scene.colors().inks[color],
              scene.colors().documents[color]);
    }
    first += width;
  }
  out.add_plain("\n\n");
  return out.text();
}

// Every segment with its place, behind a patch of its colour.
std::string segments_text(const Scene& scene) {
  Table table({"document", "offset", "tokens", "positions"});
  const std::span<const std::uint32_t> begins = scene.outline->begins(scene.window());
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const Segment& segment = scene.segments()[i];
    table.add({thousands(segment.document), thousands(segment.document_offset), thousands(segment.length),
               thousands(begins[i]) + " to " + thousands(begins[i] + segment.length - 1)});
  }
  const std::vector<std::string> lines = split_list(table.text(), '\n');
  ColorText out(scene.depth);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (scene.depth != ColorDepth::none) {
      out.add_plain(kIndent);
      const Pixel ground = scene.colors().documents[document_color(scene.window(), i - 1)];
      i == 0 ? out.add_plain("  ") : out.add("  ", ground, ground);
    }
    out.add_plain(lines[i] + "\n");
  }
  return out.text() + "\n";
}

// In characters, or in pixels of half a character's height.
std::uint32_t mask_side(const Scene& scene) { return std::min(scene.columns, kMaskColumns) / 2 * 2; }

Result<std::string> mask_text(const Scene& scene) {
  if (scene.depth == ColorDepth::none)
    return plain_mask(*scene.outline, scene.mask, mask_side(scene), kIndent);
  Result<Picture> picture = make_picture(mask_side(scene), mask_side(scene));
  if (!picture) return picture.error();
  if (Status drawn = draw_mask(*scene.outline, scene.mask, picture->canvas()); !drawn) return drawn.error();
  ColorText out(scene.depth);
  out.add_picture(*picture, kIndent);
  return out.text();
}

std::string show_json(const Scene& scene) {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  const std::uint32_t padding = scene.outline->padding(scene.window());
  json.begin_object()
      .member("command", "show")
      .member("window", scene.window())
      .member("windows", scene.outline->window_count())
      .member("tokens", scene.outline->window_length() - padding)
      .member("padding", padding)
      .key("segments")
      .begin_array();
  const std::span<const std::uint32_t> begins = scene.outline->begins(scene.window());
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const Segment& segment = scene.segments()[i];
    json.inline_next()
        .begin_object()
        .member("document", segment.document)
        .member("offset", segment.document_offset)
        .member("length", segment.length)
        .member("position", begins[i])
        .end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace

Result<int> run_show(const Arguments& arguments) {
  Result<native::PackedFolder> folder = folder_from(arguments, "show");
  if (!folder) return folder.error();
  Result<Theme> theme = theme_from(arguments, Theme::dark);
  if (!theme) return theme.error();
  Result<WantedMask> mask = wanted_mask(arguments, folder->plan, *theme);
  if (!mask) return mask.error();
  Result<ColorDepth> depth = depth_from(arguments);
  if (!depth) return depth.error();
  Result<std::uint32_t> columns = columns_from(arguments);
  if (!columns) return columns.error();
  Result<PlanOutline> outline = PlanOutline::create(folder->plan);
  if (!outline) return outline.error();

  const Scene scene{&*outline, mask->view, *depth, *columns};
  if (arguments.has("json")) {
    print(stdout, show_json(scene));
    return kDone;
  }
  Result<std::string> picture = mask_text(scene);
  if (!picture) return picture.error();
  const std::string segments = scene.segments().empty() ? "" : segments_text(scene);
  print(stdout, heading(scene) + tiles_text(scene) + segments + *picture);
  return kDone;
}

}  // namespace packscope::cli
