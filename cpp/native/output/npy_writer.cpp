// SPDX-License-Identifier: MIT
#include "output/npy_writer.hpp"

#include "files/npy.hpp"
#include "message.hpp"
#include "packscope/plan.hpp"

namespace packscope::native {

Result<NpyWriter> NpyWriter::create(const std::string& folder, const ArrayView& array) {
  Result<FileWriter> file = FileWriter::create(concat(folder, "/", array.name, ".npy"));
  if (!file) return file.error();
  NpyWriter writer(std::move(*file), array);
  if (Status room = writer.file_.write(std::string(kNpyHeaderBytes, ' ')); !room) return room.error();
  return writer;
}

Status NpyWriter::append(std::span<const std::byte> values) {
  bytes_ += values.size();
  hash_.update(values);
  return file_.write({reinterpret_cast<const char*>(values.data()), values.size()});
}

std::vector<std::uint64_t> NpyWriter::shape() const {
  const std::uint64_t values = bytes_ / value_bytes_;
  if (columns_ == 0) return {values};
  return {values / columns_, columns_};
}

std::string NpyWriter::checksum() const { return fingerprint_text(hash_.digest()); }

Status NpyWriter::finish() {
  if (Status header = file_.rewrite_start(npy_header({descr_, false, shape()})); !header) return header;
  return file_.close();
}

}  // namespace packscope::native
