// SPDX-License-Identifier: MIT
// The two things that live on in the engine between calls, until JavaScript deletes them: a stream of
// documents being packed, and a plan being drawn. Opened empty ones answer as the functions of bindings.cpp
// do.
#pragma once

#include <optional>

#include "marshal.hpp"

namespace packscope::wasm {

class StreamHandle {
 public:
  val open(const val& options, const val& source_names);

  val push(const val& documents);
  // Of documents of these lengths: planned_end() of each.
  [[nodiscard]] val planned_ends(const val& lengths) const;
  val take_closed();
  void finish();
  val take_plan();

 private:
  std::optional<Packer> packer_;
  Options options_;
};

// A plan with its outline, and the picture drawn last. A drawing writes into `target`, the bytes of an RGBA
// image of width * height.
class DrawingHandle {
 public:
  val open(const val& plan);

  val draw_field(const val& view, std::uint32_t width, std::uint32_t height, const val& target);
  val draw_rows(const val& view, std::uint32_t width, std::uint32_t height, const val& target);
  val draw_mask(const val& view, const val& mask_options, const val& prefix_lengths, std::uint32_t width,
                std::uint32_t height, const val& target);

  // What stands at a pixel, undefined where nothing does.
  [[nodiscard]] val field_hit(const val& view, std::uint32_t width, std::uint32_t x, std::uint32_t y) const;
  [[nodiscard]] val rows_hit(const val& view, std::uint32_t width, std::uint32_t height, std::uint32_t x,
                             std::uint32_t y) const;
  [[nodiscard]] val mask_hit(const val& view, std::uint32_t width, std::uint32_t height, std::uint32_t x,
                             std::uint32_t y) const;

  [[nodiscard]] val waste(const val& range) const;

 private:
  template <class Draw>
  val draw(std::uint32_t width, std::uint32_t height, const val& target, Draw draw);

  Plan plan_;
  std::optional<PlanOutline> outline_;
  Picture picture_;
};

}  // namespace packscope::wasm
