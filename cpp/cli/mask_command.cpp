// SPDX-License-Identifier: MIT
// packscope mask: the attention mask of one window as text, .npy, .png or JSON.
#include <algorithm>

#include "command.hpp"
#include "files/json_writer.hpp"
#include "files/npy.hpp"
#include "files/whole_file.hpp"
#include "message.hpp"
#include "output/png_writer.hpp"
#include "picture_arguments.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;

constexpr std::uint32_t kUsualSidePx = 1024;

enum class MaskForm : std::uint8_t { text, array, picture, keys };

Result<MaskForm> form_from(const Arguments& arguments, const std::string& target) {
  if (target.empty()) return bad_usage("--output is empty; name a file, or -");
  const bool json = arguments.has("json");
  if (target == "-") return json ? MaskForm::keys : MaskForm::text;
  if (target.ends_with(".json") && json) return MaskForm::keys;
  if (target.ends_with(".txt") && !json) return MaskForm::text;
  if (target.ends_with(".npy") && !json) return MaskForm::array;
  if (target.ends_with(".png") && !json) return MaskForm::picture;
  return bad_usage("-o ", target, json ? " --json" : "",
                   ": a mask is written as mask.txt, mask.npy or mask.png, and with --json as mask.json");
}

// A line for each query, 1 where it may attend to the key.
std::string mask_text(std::span<const std::uint8_t> cells, std::uint32_t length) {
  std::string text;
  text.reserve(cells.size() + length);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += cells[i] ? '1' : '0';
    if ((i + 1) % length == 0) text += '\n';
  }
  return text;
}

std::string mask_npy(std::span<const std::uint8_t> cells, std::uint32_t length) {
  std::string bytes = native::npy_header({"|b1", false, {length, length}});
  bytes.append(reinterpret_cast<const char*>(cells.data()), cells.size());
  return bytes;
}

// The keys of each query as [begin, end).
Result<std::string> mask_json(const Plan& plan, const MaskView& view) {
  if (!view.options.document_mask && plan.options.document_multiple > 1) {
    return bad_usage(
        "--json tells one interval of keys for each query, and there are several with "
        "--no-document-mask and a document_multiple of ",
        plan.options.document_multiple, "; -o mask.txt, mask.npy and mask.png tell all");
  }
  Result<std::vector<KeyInterval>> intervals = key_intervals(plan, view.window, view.options);
  if (!intervals) return intervals.error();
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object()
      .member("command", "mask")
      .member("window", view.window)
      .member("context_length", plan.options.context_length);
  json.key("key_intervals").inline_next().begin_array();
  for (const KeyInterval& keys : *intervals) json.begin_array().value(keys.begin).value(keys.end).end_array();
  json.end_array().end_object();
  return json.text() + "\n";
}

// Whole pixels for each position where the window is short enough.
std::uint32_t usual_side(std::uint32_t length) {
  return length < kUsualSidePx ? kUsualSidePx / length * length : kUsualSidePx;
}

Result<std::string> mask_png(const Arguments& arguments, const Plan& plan, const MaskView& view) {
  Result<std::uint64_t> width =
      number_from(arguments, "width", usual_side(plan.options.context_length), 1, kMaxPictureSide);
  if (!width) return width.error();
  Result<std::uint64_t> height = number_from(arguments, "height", *width, 1, kMaxPictureSide);
  if (!height) return height.error();
  Result<PlanOutline> outline = PlanOutline::create(plan);
  if (!outline) return outline.error();
  Result<Picture> picture = picture_for_file(*width, *height);
  if (!picture) return picture.error();
  if (Status drawn = draw_mask(*outline, view, picture->canvas()); !drawn) return drawn.error();
  return native::png_bytes(*picture);
}

Result<std::string> mask_cells(const Plan& plan, const MaskView& view, MaskForm form) {
  const std::uint32_t length = plan.options.context_length;
  if (std::uint64_t{length} * length > kMaxDenseMaskBytes) {
    return Error{ErrorCode::too_large,
                 concat("the mask of a window of ", length, " tokens has ", std::uint64_t{length} * length,
                        " cells, above the limit of ", kMaxDenseMaskBytes,
                        "; --json tells the keys of each query, -o mask.png draws them")};
  }
  Result<std::vector<std::uint8_t>> cells = boolean_mask(plan, view.window, view.options);
  if (!cells) return cells.error();
  return form == MaskForm::array ? mask_npy(*cells, length) : mask_text(*cells, length);
}

Result<std::string> mask_bytes(const Arguments& arguments, const Plan& plan, const MaskView& view,
                               MaskForm form) {
  if (form == MaskForm::picture) return mask_png(arguments, plan, view);
  return form == MaskForm::keys ? mask_json(plan, view) : mask_cells(plan, view, form);
}

}  // namespace

Result<int> run_mask(const Arguments& arguments) {
  const std::string target = arguments.get("output", "-");
  Result<MaskForm> form = form_from(arguments, target);
  if (!form) return form.error();
  for (const char* flag : {"block-size", "theme", "width", "height"}) {
    if (arguments.has(flag) && *form != MaskForm::picture)
      return bad_usage("--", flag, " is for pictures: -o mask.png");
  }
  Result<native::PackedFolder> folder = folder_from(arguments, "mask");
  if (!folder) return folder.error();
  Result<Theme> theme = theme_from(arguments, Theme::light);
  if (!theme) return theme.error();
  Result<WantedMask> mask = wanted_mask(arguments, folder->plan, *theme);
  if (!mask) return mask.error();
  const MaskView& view = mask->view;
  Result<std::string> bytes = mask_bytes(arguments, folder->plan, view, *form);
  if (!bytes) return bytes.error();
  if (target == "-") {
    print(stdout, *bytes);
    return kDone;
  }
  if (Status written = native::write_whole_file(target, *bytes); !written) return written.error();
  if (!arguments.has("quiet")) {
    print(stdout, concat(target, ": mask of window ", view.window, "\n"));
  }
  return kDone;
}

}  // namespace packscope::cli
