// SPDX-License-Identifier: MIT
// Integers as files hold them: of 1 to 8 bytes, signed or not, in either byte order.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace packscope::native {

struct IntegerType {
  std::size_t bytes = 0;
  bool is_signed = false;
  bool big_endian = false;
};

// From a NumPy dtype such as "<i4", "|u1" or ">u8"; nothing where it is no integer.
std::optional<IntegerType> integer_type(std::string_view descr);

// One value, of the other byte order or not. What passes 63 bits becomes the largest that they hold, which is
// above every limit here.
std::int64_t load_integer(const std::byte* at, const IntegerType& type);

namespace detail {

template <class Stored, class Take>
bool visit_as(std::span<const std::byte> bytes, Take& take) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored)) {
    Stored value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (!take(static_cast<std::int64_t>(value))) return false;
  }
  return true;
}

template <class Take>
bool visit_each(std::span<const std::byte> bytes, const IntegerType& type, Take& take) {
  for (std::size_t at = 0; at < bytes.size(); at += type.bytes) {
    if (!take(load_integer(bytes.data() + at, type))) return false;
  }
  return true;
}

}  // namespace detail

// Calls take(std::int64_t) for each value until it returns false; whether it never did. `bytes` holds whole
// values.
template <class Take>
bool visit_integers(std::span<const std::byte> bytes, const IntegerType& type, Take&& take) {
  if (type.big_endian) return detail::visit_each(bytes, type, take);
  if (type.bytes == 2 && !type.is_signed) return detail::visit_as<std::uint16_t>(bytes, take);
  if (type.bytes == 4 && !type.is_signed) return detail::visit_as<std::uint32_t>(bytes, take);
  if (type.bytes == 4) return detail::visit_as<std::int32_t>(bytes, take);
  if (type.bytes == 8 && type.is_signed) return detail::visit_as<std::int64_t>(bytes, take);
  return detail::visit_each(bytes, type, take);
}

}  // namespace packscope::native
