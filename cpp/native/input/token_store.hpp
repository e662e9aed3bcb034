// SPDX-License-Identifier: MIT
// Token ids in memory: one byte each while all of them fit, four from the first wider ones on.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "packscope/buffer.hpp"
#include "packscope/token_view.hpp"

namespace packscope::native {

class TokenStore {
 public:
  [[nodiscard]] bool is_wide() const { return is_wide_; }
  [[nodiscard]] std::size_t id_bytes() const {
    return is_wide_ ? sizeof(std::int32_t) : sizeof(std::uint8_t);
  }
  [[nodiscard]] std::size_t size() const { return is_wide_ ? wide_.size() : narrow_.size(); }  // ids
  // Ids that can be appended before memory is asked for.
  [[nodiscard]] std::size_t room() const {
    return (is_wide_ ? wide_.capacity() : narrow_.capacity()) - size();
  }
  [[nodiscard]] bool empty() const { return size() == 0; }

  // Valid until this is changed or moved.
  [[nodiscard]] TokenView view() const { return is_wide_ ? TokenView(wide_) : TokenView(narrow_); }

  // What readers append ids to. wide() widens all ids on its first call, for which there are two copies of
  // them; afterwards there are no narrow ones.
  Buffer<std::int32_t>& wide() {
    if (!is_wide_) widen();
    return wide_;
  }
  Buffer<std::uint8_t>& narrow() {
    assert(!is_wide_);
    return narrow_;
  }

  // Ids of either width; they widen this if they must.
  void append(TokenView ids);

  // Copies ids towards the front: [from, from + count) to `to`.
  void move_down(std::size_t from, std::size_t to, std::size_t count);

  // Leaves the first `size` ids.
  void cut(std::size_t size);

  // Without ids, but of the same width and with its memory.
  void clear() { cut(0); }

  // The same, and its memory is given back.
  void release();

 private:
  void widen();

  bool is_wide_ = false;
  Buffer<std::uint8_t> narrow_;  // one of the two is empty
  Buffer<std::int32_t> wide_;
};

}  // namespace packscope::native
