// SPDX-License-Identifier: MIT
// A piece of a file in place of a copy, and then the next piece: of a file of any size, only as much is in
// memory as one piece holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace packscope::native {

class MappedWindow {
 public:
  // Bytes behind a piece that may be read (their content means nothing).
  static constexpr std::size_t kPaddingBytes = 4096;

  MappedWindow() = default;
  MappedWindow(MappedWindow&& other) noexcept;
  MappedWindow& operator=(MappedWindow&& other) noexcept;
  ~MappedWindow();

  // The `size` bytes of an open file from `begin` on, all of which must be there; `size` is not 0. Valid
  // until the next call, which replaces them. Nothing where they cannot be mapped; what was shown before is
  // then gone. Reading what the file has lost since is SIGBUS.
  std::optional<std::string_view> show(int file, std::uint64_t begin, std::size_t size);

 private:
  bool reserve(std::size_t size);

  char* room_ = nullptr;  // addresses for a piece, with those of its padding behind them
  std::size_t room_bytes_ = 0;
};

}  // namespace packscope::native
