// SPDX-License-Identifier: MIT
// What the fuzz targets share: choices made of the fuzzer's bytes, a promise that must hold, and bytes under
// a file's name without a disk.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "packscope/options.hpp"

namespace packscope_fuzz {

inline void expect(bool holds, std::string_view promise, std::string_view detail = {}) {
  if (holds) return;
  std::fprintf(stderr, "BROKEN: %.*s %.*s\n", static_cast<int>(promise.size()), promise.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

template <class T>
void expect_value(const packscope::Result<T>& result, std::string_view promise) {
  if (!result) expect(false, promise, result.error().message);
}

// An error must say something, and must not be a fault of ours.
inline void expect_sound(const packscope::Error& error) {
  expect(!error.message.empty(), "an error has a message");
  expect(error.code != packscope::ErrorCode::internal, "no internal error", error.message);
}

// A text for an option: mostly one that its row of the table allows, with numbers up to `largest`.
inline std::string choose_value(FuzzedDataProvider& data, std::string_view allowed, std::uint64_t largest) {
  if (data.ConsumeIntegralInRange(0, 15) == 0) return data.ConsumeRandomLengthString(24);
  std::size_t count = 1;
  for (const char c : allowed) count += c == '|' ? 1 : 0;
  for (std::size_t skip = data.ConsumeIntegralInRange<std::size_t>(0, count - 1); skip > 0; --skip) {
    allowed = allowed.substr(allowed.find('|') + 1);
  }
  const std::string_view chosen = allowed.substr(0, allowed.find('|'));
  if (chosen != "N") return std::string(chosen);
  return std::to_string(data.ConsumeIntegralInRange<std::uint64_t>(0, largest));
}

// Bytes with a path from which they can be read.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", 0)) {
    expect(descriptor_ >= 0, "memory for a file can be had");
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      expect(written > 0, "a file in memory can be written");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace packscope_fuzz
