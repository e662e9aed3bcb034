// SPDX-License-Identifier: MIT
// Memory that cannot be had ends this engine: `outOfMemory` throws in JavaScript. So does a piece of 2 GiB or
// more, which Emscripten's sbrk() takes for a negative number: it would hand out memory that is not there.
#include <emscripten/val.h>

#include <cstdint>
#include <cstdlib>
#include <new>

void* operator new(std::size_t size) {
  void* const memory = size <= PTRDIFF_MAX ? std::malloc(size) : nullptr;
  if (memory == nullptr) emscripten::val::module_property("boundary").call<void>("outOfMemory");
  return memory;
}
