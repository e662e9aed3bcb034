// SPDX-License-Identifier: MIT
// Reads a plan back from the arrays of an output folder.
#pragma once

#include <string>

#include "files/npy.hpp"
#include "output/manifest.hpp"

namespace packscope::native {

// An array of an output folder, read from front to back.
class ArrayFile {
 public:
  // Opens FOLDER/NAME.npy and checks its dtype.
  static Result<ArrayFile> open(const std::string& folder, std::string_view name, std::string_view descr);

  [[nodiscard]] const NpyHeader& header() const { return header_; }
  [[nodiscard]] const std::string& path() const { return source_.name(); }

  Status read(std::span<char> into) { return read_exactly(source_, into); }
  // Nothing may follow the last value.
  Status finish();

 private:
  ArrayFile(ByteSource source, NpyHeader header) : source_(std::move(source)), header_(std::move(header)) {}

  ByteSource source_;
  NpyHeader header_;
};

// Segments and window_offsets from disk, options and ledgers from the manifest. Offsets that do not
// ascend to the number of segments are an error, so that the plan is safe to walk.
Result<Plan> read_plan(const std::string& folder, const Manifest& manifest);

// What an output folder says about its windows, without their tokens.
struct PackedFolder {
  Manifest manifest;
  Plan plan;
};
Result<PackedFolder> read_packed_folder(const std::string& folder);

}  // namespace packscope::native
