// SPDX-License-Identifier: MIT
#include "output/array_folder.hpp"

namespace packscope::native {

Status ArrayFolder::append(const std::vector<ArrayView>& arrays) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (i == writers_.size()) {
      Result<NpyWriter> writer = NpyWriter::create(folder_, arrays[i]);
      if (!writer) return writer.error();
      writers_.push_back(std::move(*writer));
    }
    if (Status appended = writers_[i].append(arrays[i].values); !appended) return appended;
  }
  return {};
}

Status ArrayFolder::finish(std::vector<ArrayEntry>& entries) {
  for (NpyWriter& writer : writers_) {
    if (Status finished = writer.finish(); !finished) return finished;
    entries.push_back({writer.name(), writer.descr(), writer.shape(), writer.checksum()});
  }
  return {};
}

}  // namespace packscope::native
