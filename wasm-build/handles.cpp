// SPDX-License-Identifier: MIT
#include "handles.hpp"

namespace packscope::wasm {

val StreamHandle::open(const val& options, const val& source_names) {
  Result<Options> given = options_in(options);
  if (!given) return answer(given.error());
  Result<Packer> packer = Packer::create(*given, strings_in(source_names));
  if (!packer) return answer(packer.error());
  options_ = *std::move(given);
  packer_.emplace(*std::move(packer));
  return answer(Status());
}

val StreamHandle::push(const val& documents) {
  const DocumentsIn given(documents);
  const Documents view = given.view();
  return answer(packer_->push(view.lengths, view.sources));
}

val StreamHandle::planned_ends(const val& lengths) const {
  Buffer<std::uint32_t> ends = array_in<std::uint32_t>(lengths);
  for (std::uint32_t& end : ends) end = planned_end(options_, end);
  return array_out(ends);
}

val StreamHandle::take_closed() { return windows_out(packer_->take_closed()); }

void StreamHandle::finish() { packer_->finish(); }

val StreamHandle::take_plan() { return plan_out(packer_->take_plan()); }

val DrawingHandle::open(const val& plan) {
  Result<Plan> given = plan_in(plan);
  if (!given) return answer(given.error());
  plan_ = *std::move(given);
  Result<PlanOutline> outline = PlanOutline::create(plan_);
  if (!outline) return answer(outline.error());
  outline_.emplace(*std::move(outline));
  return answer(Status());
}

template <class Draw>
val DrawingHandle::draw(std::uint32_t width, std::uint32_t height, const val& target, Draw draw) {
  if (picture_.width != width || picture_.height != height) {
    Result<Picture> picture = make_picture(width, height);
    if (!picture) return answer(picture.error());
    picture_ = *std::move(picture);
  }
  if (Status drawn = draw(picture_.canvas()); !drawn) return answer(drawn);
  copy_onto(target, picture_.pixels.data());
  return answer(Status());
}

val DrawingHandle::draw_field(const val& view, std::uint32_t width, std::uint32_t height, const val& target) {
  return draw(width, height, target, [&](const Canvas& canvas) {
    return packscope::draw_field(*outline_, field_view_in(view), canvas);
  });
}

val DrawingHandle::draw_rows(const val& view, std::uint32_t width, std::uint32_t height, const val& target) {
  return draw(width, height, target, [&](const Canvas& canvas) {
    return packscope::draw_rows(*outline_, rows_view_in(view), canvas);
  });
}

val DrawingHandle::draw_mask(const val& view, const val& mask_options, const val& prefix_lengths,
                             std::uint32_t width, std::uint32_t height, const val& target) {
  Result<MaskOptions> options = mask_options_in(mask_options);
  if (!options) return answer(options.error());
  const Buffer<std::uint32_t> prefixes = array_in<std::uint32_t>(prefix_lengths);
  options->prefix_lengths = prefixes;
  return draw(width, height, target, [&](const Canvas& canvas) {
    return packscope::draw_mask(*outline_, mask_view_in(view, *options), canvas);
  });
}

val DrawingHandle::field_hit(const val& view, std::uint32_t width, std::uint32_t x, std::uint32_t y) const {
  return window_out(packscope::field_hit(*outline_, field_view_in(view), width, x, y));
}

// Hits read the sides of a canvas, not its pixels.
val DrawingHandle::rows_hit(const val& view, std::uint32_t width, std::uint32_t height, std::uint32_t x,
                            std::uint32_t y) const {
  return rows_hit_out(packscope::rows_hit(*outline_, rows_view_in(view), {{}, width, height}, x, y));
}

val DrawingHandle::mask_hit(const val& view, std::uint32_t width, std::uint32_t height, std::uint32_t x,
                            std::uint32_t y) const {
  return mask_hit_out(packscope::mask_hit(*outline_, mask_view_in(view, {}), {{}, width, height}, x, y));
}

val DrawingHandle::waste(const val& range) const { return waste_out(outline_->waste(range_in(range))); }

}  // namespace packscope::wasm
