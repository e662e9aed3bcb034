// SPDX-License-Identifier: MIT
#include "handles.hpp"

#include <emscripten/bind.h>

#include <memory>

#include "marshal.hpp"

namespace packscope::wasm {
namespace {

using Handle = std::uintptr_t;

template <class T>
Handle handle_of(std::unique_ptr<T> owned) {
  return reinterpret_cast<Handle>(owned.release());
}
template <class T>
T& at(Handle handle) {
  return *reinterpret_cast<T*>(handle);
}
template <class T>
void close(Handle handle) {
  delete reinterpret_cast<T*>(handle);
}

struct Stream {
  Packer packer;
  Options options;
};

val open_stream(const val& options, const val& source_names) {
  return with(options_in(options), [&](const Options& given) {
    Result<Packer> packer = Packer::create(given, strings_in(source_names));
    if (!packer) return answer(packer.error());
    return answer(val(handle_of(std::make_unique<Stream>(Stream{*std::move(packer), given}))));
  });
}

val push_documents(Handle stream, const val& documents) {
  const DocumentsIn given(documents);
  return answer(at<Stream>(stream).packer.push(given.view().lengths, given.view().sources));
}

// Of documents of these lengths: planned_end() of each.
val planned_ends(Handle stream, const val& lengths) {
  Buffer<std::uint32_t> ends = array_in<std::uint32_t>(lengths);
  for (std::uint32_t& end : ends) end = planned_end(at<Stream>(stream).options, end);
  return array_out(ends);
}

val take_closed(Handle stream) { return windows_out(at<Stream>(stream).packer.take_closed()); }

// The rest of the plan. The stream can only be closed after it.
val finish_stream(Handle stream) {
  Packer& packer = at<Stream>(stream).packer;
  packer.finish();
  return plan_out(packer.take_plan());
}

// A plan with its outline, and the picture drawn last.
struct Drawing {
  Plan plan;
  PlanOutline outline;
  Picture picture;
};

val open_drawing(const val& plan) {
  return with(plan_in(plan), [](const Plan& made) {
    auto drawing = std::make_unique<Drawing>(Drawing{made, {}, {}});
    Result<PlanOutline> outline = PlanOutline::create(drawing->plan);
    if (!outline) return answer(outline.error());
    drawing->outline = *std::move(outline);
    return answer(val(handle_of(std::move(drawing))));
  });
}

// Into `target`, the bytes of an RGBA image of width * height.
template <class Draw>
val draw(Handle handle, std::uint32_t width, std::uint32_t height, const val& target, Draw draw) {
  Drawing& drawing = at<Drawing>(handle);
  if (drawing.picture.width != width || drawing.picture.height != height) {
    Result<Picture> picture = make_picture(width, height);
    if (!picture) return answer(picture.error());
    drawing.picture = *std::move(picture);
  }
  if (Status drawn = draw(drawing.outline, drawing.picture.canvas()); !drawn) return answer(drawn);
  copy_onto(target, drawing.picture.pixels.data());
  return answer(Status());
}

val draw_field_of(Handle handle, const val& view, std::uint32_t width, std::uint32_t height,
                  const val& target) {
  return draw(handle, width, height, target, [&](const PlanOutline& outline, const Canvas& canvas) {
    return draw_field(outline, field_view_in(view), canvas);
  });
}

val draw_rows_of(Handle handle, const val& view, std::uint32_t width, std::uint32_t height,
                 const val& target) {
  return draw(handle, width, height, target, [&](const PlanOutline& outline, const Canvas& canvas) {
    return draw_rows(outline, rows_view_in(view), canvas);
  });
}

val draw_mask_of(Handle handle, const val& view, const val& mask_options, const val& prefix_lengths,
                 std::uint32_t width, std::uint32_t height, const val& target) {
  return with(mask_options_in(mask_options), [&](MaskOptions masks) {
    const Buffer<std::uint32_t> prefixes = array_in<std::uint32_t>(prefix_lengths);
    masks.prefix_lengths = prefixes;
    return draw(handle, width, height, target, [&](const PlanOutline& outline, const Canvas& canvas) {
      return draw_mask(outline, mask_view_in(view, masks), canvas);
    });
  });
}

// What stands at a pixel, undefined where nothing does. Hits read the sides of a canvas, not its pixels.

val field_hit_of(Handle handle, const val& view, std::uint32_t width, std::uint32_t x, std::uint32_t y) {
  return window_out(field_hit(at<Drawing>(handle).outline, field_view_in(view), width, x, y));
}

val rows_hit_of(Handle handle, const val& view, std::uint32_t width, std::uint32_t height, std::uint32_t x,
                std::uint32_t y) {
  return rows_hit_out(rows_hit(at<Drawing>(handle).outline, rows_view_in(view), {{}, width, height}, x, y));
}

val mask_hit_of(Handle handle, const val& view, std::uint32_t width, std::uint32_t height, std::uint32_t x,
                std::uint32_t y) {
  return mask_hit_out(
      mask_hit(at<Drawing>(handle).outline, mask_view_in(view, {}), {{}, width, height}, x, y));
}

val waste_of(Handle handle, const val& range) {
  return waste_out(at<Drawing>(handle).outline.waste(range_in(range)));
}

val fit_field_of(double windows, std::uint32_t width, std::uint32_t height, std::uint32_t max_cell_px) {
  return field_view_out(fit_field(static_cast<std::uint64_t>(windows), width, height, max_cell_px));
}

std::uint32_t document_color_of(double window, double index) {
  return document_color(static_cast<std::uint64_t>(window), static_cast<std::uint64_t>(index));
}

val palette_of(const val& view) { return palette_out(palette(theme_in(view))); }

}  // namespace

void bind_handles() {
  using emscripten::function;
  function("openStream", &open_stream);
  function("pushDocuments", &push_documents);
  function("plannedEnds", &planned_ends);
  function("takeClosed", &take_closed);
  function("finishStream", &finish_stream);
  function("closeStream", &close<Stream>);
  function("openDrawing", &open_drawing);
  function("drawField", &draw_field_of);
  function("drawRows", &draw_rows_of);
  function("drawMask", &draw_mask_of);
  function("fieldHit", &field_hit_of);
  function("rowsHit", &rows_hit_of);
  function("maskHit", &mask_hit_of);
  function("waste", &waste_of);
  function("closeDrawing", &close<Drawing>);
  function("fitField", &fit_field_of);
  function("documentColor", &document_color_of);
  function("palette", &palette_of);
}

}  // namespace packscope::wasm
