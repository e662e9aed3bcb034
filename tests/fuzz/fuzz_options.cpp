// SPDX-License-Identifier: MIT
// Options from any text: what is taken is written back so that it is taken again, what is refused changes
// nothing.
#include "fuzz_input.hpp"
#include "packscope/masks.hpp"

namespace packscope_fuzz {
namespace {

// The two tables behind one set of names.
struct Both {
  packscope::Options pack;
  packscope::MaskOptions masks;

  static std::span<const packscope::OptionInfo> table(bool of_masks) {
    return of_masks ? packscope::mask_option_table() : packscope::option_table();
  }
  packscope::Status set(bool of_masks, std::string_view name, std::string_view value) {
    return of_masks ? set_mask_option(masks, name, value) : set_option(pack, name, value);
  }
  [[nodiscard]] std::string get(bool of_masks, std::string_view name) const {
    return of_masks ? get_mask_option(masks, name) : get_option(pack, name);
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const bool of_masks : {false, true}) {
      for (const packscope::OptionInfo& info : table(of_masks)) all += get(of_masks, info.name) + "\n";
    }
    return all;
  }
};

void set_one(FuzzedDataProvider& data, Both& options) {
  const bool of_masks = data.ConsumeBool();
  const auto table = Both::table(of_masks);
  const std::size_t row = data.ConsumeIntegralInRange<std::size_t>(0, table.size());
  const bool known = row < table.size();
  const std::string name = known ? std::string(table[row].name) : data.ConsumeRandomLengthString(16);
  const std::string value = choose_value(data, known ? table[row].value : "N", UINT64_MAX);
  const std::string before = options.text();
  const packscope::Status set = options.set(of_masks, name, value);
  if (!set) {
    expect_sound(set.error());
    expect(options.text() == before, "an option that is refused changes nothing", value);
    return;
  }
  const std::string written = options.get(of_masks, name);
  Both again = options;
  expect_value(again.set(of_masks, name, written), "an option's own text is taken back");
  expect(again.text() == options.text() && again.pack == options.pack, "its own text means the same",
         written);
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  packscope_fuzz::Both options;
  while (data.remaining_bytes() > 0) packscope_fuzz::set_one(data, options);
  if (const packscope::Status checked = check_options(options.pack); !checked) {
    packscope_fuzz::expect_sound(checked.error());
  }
  if (const packscope::Status checked = check_mask_options(options.masks); !checked) {
    packscope_fuzz::expect_sound(checked.error());
  }
  return 0;
}
