// SPDX-License-Identifier: MIT
// packscope render: all windows as a field of cells, or some as rows of tiles, to PNG.
#include <algorithm>

#include "command.hpp"
#include "files/json_writer.hpp"
#include "files/whole_file.hpp"
#include "message.hpp"
#include "output/png_writer.hpp"
#include "picture_arguments.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;

constexpr std::uint32_t kUsualWidth = 1280;
constexpr std::uint32_t kUsualHeight = 800;
constexpr std::uint32_t kRowPx = 18;
constexpr std::uint32_t kTallestRowsPx = 4000;

struct Size {
  std::uint32_t width = 0;
  std::uint32_t height = 0;  // 0: as high as needed
};

Result<Size> size_from(const Arguments& arguments) {
  Result<std::uint64_t> width = number_from(arguments, "width", kUsualWidth, 1, kMaxPictureSide);
  if (!width) return width.error();
  Result<std::uint64_t> height = number_from(arguments, "height", 0, 1, kMaxPictureSide);
  if (!height) return height.error();
  return Size{static_cast<std::uint32_t>(*width), static_cast<std::uint32_t>(*height)};
}

std::uint32_t rows_height(std::uint64_t windows) {
  const std::uint64_t row_px = std::min<std::uint64_t>(kRowPx, kTallestRowsPx / windows);
  return row_px == 0 ? kUsualHeight : static_cast<std::uint32_t>(row_px * windows);
}

Result<Picture> draw_range(const PlanOutline& outline, WindowRange windows, Size size, Theme theme) {
  Result<Picture> picture =
      picture_for_file(size.width, size.height > 0 ? size.height : rows_height(windows.size()));
  if (!picture) return picture;
  const RowsView view{fine_range(windows.first, windows.last), fine_range(0, outline.window_length()), theme};
  if (Status drawn = draw_rows(outline, view, picture->canvas()); !drawn) return drawn.error();
  return picture;
}

// Cut to the cells there are, unless a height is given.
Result<Picture> draw_all(const PlanOutline& outline, Size size, Theme theme) {
  const std::uint32_t most = size.height > 0 ? size.height : kUsualHeight;
  const WindowFieldView view = fit_field(outline.window_count(), size.width, most, 16, theme);
  const std::uint64_t in_row = std::uint64_t{size.width / view.cell_px} * view.windows_per_cell;
  const std::uint64_t needed = (outline.window_count() + in_row - 1) / in_row * view.cell_px;
  Result<Picture> picture = picture_for_file(size.width, size.height > 0 ? size.height : needed);
  if (!picture) return picture;
  if (Status drawn = draw_field(outline, view, picture->canvas()); !drawn) return drawn.error();
  return picture;
}

Result<Picture> draw(const Arguments& arguments, const PlanOutline& outline) {
  Result<Size> size = size_from(arguments);
  if (!size) return size.error();
  Result<Theme> theme = theme_from(arguments, Theme::light);
  if (!theme) return theme.error();
  if (!arguments.has("windows")) return draw_all(outline, *size, *theme);
  Result<WindowRange> windows = windows_from(arguments, outline.plan().window_count());
  if (!windows) return windows.error();
  return draw_range(outline, *windows, *size, *theme);
}

}  // namespace

Result<int> run_render(const Arguments& arguments) {
  const std::string target = arguments.get("output");
  if (target.empty()) return bad_usage("render needs a file to write to: -o windows.png");
  if (target != "-" && !target.ends_with(".png"))
    return bad_usage("-o ", target,
                     ": pictures are PNG; name the file windows.png, or - for standard output");
  Result<native::PackedFolder> folder = folder_from(arguments, "render");
  if (!folder) return folder.error();
  if (folder->plan.window_count() == 0)
    return bad_usage("there is nothing to draw: the folder has no window");
  Result<PlanOutline> outline = PlanOutline::create(folder->plan);
  if (!outline) return outline.error();
  Result<Picture> picture = draw(arguments, *outline);
  if (!picture) return picture.error();
  Result<std::string> bytes = native::png_bytes(*picture);
  if (!bytes) return bytes.error();
  if (Status written = native::write_whole_file(target, *bytes); !written) return written.error();
  std::FILE* report = target == "-" ? stderr : stdout;
  if (arguments.has("json")) {
    native::JsonWriter json(native::JsonWriter::Layout::indented);
    json.begin_object()
        .member("command", "render")
        .member("output", target)
        .member("width", picture->width)
        .member("height", picture->height)
        .end_object();
    print(report, json.text() + "\n");
  } else if (!arguments.has("quiet")) {
    print(report, concat(target, ": ", picture->width, " x ", picture->height, " pixels\n"));
  }
  return kDone;
}

}  // namespace packscope::cli
