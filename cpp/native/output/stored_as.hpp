// SPDX-License-Identifier: MIT
// In which kind of file the arrays of windows are kept, and how wide token ids are there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace packscope::native {

enum class Container : std::uint8_t {
  npy,          // NAME.npy for each array
  npz,          // all in windows.npz
  safetensors,  // all in windows.safetensors
  megatron,     // input_ids.bin and .idx, one sequence for each window; the rest as .npy
};
inline constexpr std::array kContainerNames{std::string_view("npy"), std::string_view("npz"),
                                            std::string_view("safetensors"), std::string_view("megatron")};

constexpr std::string_view container_name(Container container) {
  return kContainerNames[static_cast<std::size_t>(container)];
}
constexpr std::optional<Container> container_named(std::string_view name) {
  for (std::size_t i = 0; i < kContainerNames.size(); ++i) {
    if (kContainerNames[i] == name) return static_cast<Container>(i);
  }
  return {};
}

enum class IdType : std::uint8_t { int32, uint16 };
inline constexpr std::int64_t kLargestUint16 = 65535;

constexpr std::string_view id_type_name(IdType type) { return type == IdType::uint16 ? "uint16" : "int32"; }

struct StoredAs {
  Container container = Container::npy;
  IdType ids = IdType::int32;  // of input_ids
};

}  // namespace packscope::native
