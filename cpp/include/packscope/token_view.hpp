// SPDX-License-Identifier: MIT
// Token ids that lie somewhere else, of four bytes or, as where text is its bytes, of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace packscope {

class TokenView {
 public:
  TokenView() = default;

  // Of a span, vector or Buffer of either type; it keeps the memory.
  template <class Ids>
  requires std::is_convertible_v<const Ids&, std::span<const std::int32_t>> TokenView(const Ids& ids)
      : TokenView(std::span<const std::int32_t>(ids), sizeof(std::int32_t)) {}
  template <class Ids>
  requires std::is_convertible_v<const Ids&, std::span<const std::uint8_t>> TokenView(const Ids& ids)
      : TokenView(std::span<const std::uint8_t>(ids), sizeof(std::uint8_t)) {}

  [[nodiscard]] std::size_t size() const { return size_; }  // ids
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t id_bytes() const { return id_bytes_; }  // 4 or 1
  [[nodiscard]] bool is_wide() const { return id_bytes_ == sizeof(std::int32_t); }

  // One id. Loops over many ask visit() or copy_to(), which look at the width once.
  [[nodiscard]] std::int32_t operator[](std::size_t index) const {
    return is_wide() ? wide()[index] : narrow()[index];
  }

  // [first, first + count), which must be within.
  [[nodiscard]] TokenView subspan(std::size_t first, std::size_t count) const {
    TokenView part = *this;
    part.ids_ = bytes().data() + first * id_bytes_;
    part.size_ = count;
    return part;
  }

  // The ids as they lie in memory.
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(ids_), size_ * id_bytes_};
  }

  // Calls visitor(std::span<const std::int32_t>) or visitor(std::span<const std::uint8_t>).
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return is_wide() ? visitor(std::span(wide(), size_)) : visitor(std::span(narrow(), size_));
  }

  // Writes size() ids to `out`.
  void copy_to(std::int32_t* out) const;

 private:
  template <class Id>
  TokenView(std::span<const Id> ids, std::size_t id_bytes)
      : ids_(ids.data()), size_(ids.size()), id_bytes_(id_bytes) {}

  [[nodiscard]] const std::int32_t* wide() const { return static_cast<const std::int32_t*>(ids_); }
  [[nodiscard]] const std::uint8_t* narrow() const { return static_cast<const std::uint8_t*>(ids_); }

  const void* ids_ = nullptr;
  std::size_t size_ = 0;
  std::size_t id_bytes_ = sizeof(std::int32_t);
};

}  // namespace packscope
