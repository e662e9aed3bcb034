// SPDX-License-Identifier: MIT
#include "input/token_store.hpp"

#include <algorithm>
#include <cstring>

namespace packscope::native {

void TokenStore::append(TokenView ids) {
  if (ids.empty()) return;
  if (ids.is_wide()) wide();
  const std::size_t before = size();
  if (is_wide_) {
    wide_.resize(before + ids.size());
    ids.copy_to(wide_.data() + before);
  } else {
    narrow_.resize(before + ids.size());
    std::memcpy(narrow_.data() + before, ids.bytes().data(), ids.size());
  }
}

void TokenStore::move_down(std::size_t from, std::size_t to, std::size_t count) {
  if (is_wide_) {
    std::copy_n(wide_.data() + from, count, wide_.data() + to);
  } else {
    std::copy_n(narrow_.data() + from, count, narrow_.data() + to);
  }
}

void TokenStore::cut(std::size_t size) {
  if (is_wide_) {
    wide_.resize(size);
  } else {
    narrow_.resize(size);
  }
}

void TokenStore::release() {
  narrow_ = {};
  wide_ = {};
}

void TokenStore::widen() {
  wide_.assign(narrow_.begin(), narrow_.end());
  narrow_ = {};
  is_wide_ = true;
}

}  // namespace packscope::native
