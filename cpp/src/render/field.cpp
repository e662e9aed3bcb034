// SPDX-License-Identifier: MIT
// The field: a cell for each window, coloured by its share of padding.
#include <algorithm>

#include "render/axis.hpp"

namespace packscope {
namespace {

constexpr std::uint32_t kMostPerCell = 1u << 24;

Status check_view(const WindowFieldView& view, std::uint32_t width) {
  const bool sound = view.cell_px > 0 && view.cell_px <= width && view.windows_per_cell > 0 &&
                     view.windows_per_cell <= kMostPerCell;
  if (sound) return {};
  return invalid_argument("a field with cells of ", view.cell_px, " pixels and ", view.windows_per_cell,
                          " windows each: a cell must fit the width of ", width, " and hold from 1 to ",
                          kMostPerCell, " windows");
}

// One cell's windows; empty beyond the last.
WindowRange windows_of(const PlanOutline& outline, const WindowFieldView& view, std::uint64_t cell) {
  const std::uint64_t first = view.first_window + cell * view.windows_per_cell;
  const std::uint64_t last = std::min(first + view.windows_per_cell, outline.window_count());
  return {std::min(first, last), last};
}

// Of one cell's windows, at least one and at most kMostPerCell.
Pixel cell_color(const Palette& colors, const std::uint8_t* levels, std::uint32_t count) {
  std::uint32_t sum = 0;
  std::uint32_t worst = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    sum += levels[i];
    worst = std::max<std::uint32_t>(worst, levels[i]);
  }
  return colors.waste[(sum / count + worst) / 2];
}

// The first line of a row of cells. Those of a large plan are small and many: their windows stand one after
// another.
void paint_cells(const PlanOutline& outline, const WindowFieldView& view, std::uint64_t first_cell,
                 std::uint32_t inside, std::span<Pixel> line) {
  const Palette& colors = palette(view.theme);
  std::fill(line.begin(), line.end(), colors.page);
  const std::uint32_t columns = static_cast<std::uint32_t>(line.size()) / view.cell_px;
  const std::size_t first = static_cast<std::size_t>(windows_of(outline, view, first_cell).first);
  std::span<const std::uint8_t> levels = outline.waste_levels().subspan(first);
  for (std::uint32_t column = 0; column < columns && !levels.empty(); ++column) {
    const std::size_t count = std::min<std::size_t>(view.windows_per_cell, levels.size());
    const Pixel color = cell_color(colors, levels.data(), static_cast<std::uint32_t>(count));
    levels = levels.subspan(count);
    Pixel* cell = line.data() + std::size_t{column} * view.cell_px;
    for (std::uint32_t x = 0; x < inside; ++x) cell[x] = color;
  }
}

}  // namespace

WindowFieldView fit_field(std::uint64_t window_count, std::uint32_t width, std::uint32_t height,
                          std::uint32_t max_cell_px, Theme theme) {
  WindowFieldView view{.cell_px = std::max(1u, std::min({max_cell_px, width, height})), .theme = theme};
  const auto cells = [&] {
    return std::max<std::uint64_t>(1, std::uint64_t{width / view.cell_px} * (height / view.cell_px));
  };
  while (view.cell_px > 1 && cells() < window_count) --view.cell_px;
  view.windows_per_cell =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (window_count + cells() - 1) / cells()));
  return view;
}

Status draw_field(const PlanOutline& outline, const WindowFieldView& view, Canvas canvas) {
  if (Status status = check_canvas(canvas); !status) return status;
  if (Status status = check_view(view, canvas.width); !status) return status;
  const std::uint32_t columns = canvas.width / view.cell_px;
  const std::uint32_t inside = view.cell_px - (view.cell_px >= 4 ? 1 : 0);
  for (std::uint32_t y = 0; y < canvas.height; ++y) {
    Pixel* line = canvas.pixels.data() + std::size_t{y} * canvas.width;
    const std::uint32_t inside_y = y % view.cell_px;
    if (inside_y == 0) {
      const std::uint64_t first_cell = std::uint64_t{y / view.cell_px} * columns;
      paint_cells(outline, view, first_cell, inside, {line, canvas.width});
    } else if (inside_y < inside) {
      std::copy(line - canvas.width, line, line);
    } else {
      std::fill(line, line + canvas.width, palette(view.theme).page);
    }
  }
  return {};
}

std::optional<std::uint64_t> field_hit(const PlanOutline& outline, const WindowFieldView& view,
                                       std::uint32_t canvas_width, std::uint32_t x, std::uint32_t y) {
  if (!check_view(view, canvas_width)) return std::nullopt;
  const std::uint32_t columns = canvas_width / view.cell_px;
  const std::uint32_t column = x / view.cell_px;
  if (column >= columns) return std::nullopt;
  const WindowRange windows = windows_of(outline, view, std::uint64_t{y / view.cell_px} * columns + column);
  if (windows.size() == 0) return std::nullopt;
  return outline.waste(windows).worst_window;
}

}  // namespace packscope
