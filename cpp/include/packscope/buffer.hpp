// SPDX-License-Identifier: MIT
// A std::vector that leaves new elements uninitialized: large arrays are written once, not twice.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace packscope {

template <class T>
struct UninitializedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
};

// resize() leaves new elements unwritten; everything else is std::vector.
template <class T>
using Buffer = std::vector<T, UninitializedAllocator<T>>;

}  // namespace packscope
