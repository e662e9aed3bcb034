// SPDX-License-Identifier: MIT
#include "files/mapped_array.hpp"

#include "files/npy.hpp"
#include "message.hpp"

namespace packscope::native {

Result<MappedArray> MappedArray::open(const std::string& folder, const ArrayEntry& entry) {
  const std::string path = concat(folder, "/", entry.name, ".npy");
  Result<ByteSource> source = ByteSource::open(path);
  if (!source) return source.error();
  const Result<NpyHeader> header = read_npy_header(*source);
  if (!header) return header.error();
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  const bool listed = header->descr == entry.descr && header->shape == entry.shape && !header->fortran_order;
  if (listed && file->bytes().size() == kNpyHeaderBytes + header->value_count() * descr_bytes(entry.descr)) {
    return MappedArray(std::move(*file));
  }
  return bad_data(path, ": is not the array that its folder lists; it is cut short, or of another output");
}

std::span<const std::byte> MappedArray::bytes() const { return file_.bytes().subspan(kNpyHeaderBytes); }

}  // namespace packscope::native
