// SPDX-License-Identifier: MIT
// Values that memory should not hold: a file without a name, written once from front to back and then looked
// at anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "files/mapped_file.hpp"
#include "packscope/result.hpp"

namespace packscope::native {

class Spool {
 public:
  // In `folder`, gone from there at once: the file ends with this object, or with the program.
  static Result<Spool> create(const std::string& folder);

  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&& other) noexcept;
  ~Spool();

  Status append(std::span<const std::byte> bytes);
  // What was appended, piece by piece, in memory that does not grow with it.
  using Visit = std::function<void(std::span<const std::byte>)>;
  Status visit(const Visit& visit) const;

  // Call last; afterwards bytes() gives all of it.
  Status finish();

  [[nodiscard]] std::uint64_t size() const { return size_; }  // bytes
  [[nodiscard]] std::span<const std::byte> bytes() const;

 private:
  Spool(int file, std::string folder) : file_(file), folder_(std::move(folder)) {}

  int file_ = -1;
  std::string folder_;
  std::uint64_t size_ = 0;
  std::optional<MappedFile> mapped_;
};

}  // namespace packscope::native
