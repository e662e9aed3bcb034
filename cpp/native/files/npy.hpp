// SPDX-License-Identifier: MIT
// NumPy's .npy header: read in versions 1 to 3, written in version 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/byte_source.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

struct NpyHeader {
  std::string descr;  // "<i4"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;

  // Values of the array; UINT64_MAX where the product passes 64 bits.
  [[nodiscard]] std::uint64_t value_count() const;
};

// Headers that we write have this size, so that a shape known only at the end still fits.
inline constexpr std::size_t kNpyHeaderBytes = 128;

// A version 1.0 header of kNpyHeaderBytes bytes.
std::string npy_header(const NpyHeader& header);

// "(3, 4)".
std::string shape_text(const NpyHeader& header);

// Reads a header and leaves `source` at the first value.
Result<NpyHeader> read_npy_header(ByteSource& source);

// Takes the header off the front of `file`, whose name in errors is `name`.
Result<NpyHeader> take_npy_header(std::span<const std::byte>& file, std::string_view name);

// Reads exactly into.size() bytes, or says which byte is missing.
Status read_exactly(ByteSource& source, std::span<char> into);

}  // namespace packscope::native
