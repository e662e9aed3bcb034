// SPDX-License-Identifier: MIT
#include "files/mapped_array.hpp"

#include "files/npy.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

std::string dtype_text(std::string_view descr, const std::vector<std::uint64_t>& shape) {
  std::string text(descr);
  for (const std::uint64_t extent : shape)
    text += concat(text.size() == descr.size() ? " of " : " x ", extent);
  return text;
}

}  // namespace

Result<MappedArray> MappedArray::open(const std::string& folder, const ArrayEntry& entry) {
  const std::string path = concat(folder, "/", entry.file_name());
  if (entry.file_name().find('/') != std::string::npos)
    return bad_data(path, ": arrays stand in the folder that lists them; the list is damaged");
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  std::span<const std::byte> bytes = file->bytes();
  if (entry.file.empty()) {
    const Result<NpyHeader> header = take_npy_header(bytes, path);
    if (!header) return header.error();
    if (header->descr != entry.descr || header->shape != entry.shape || header->fortran_order) {
      return bad_data(path, ": is ", dtype_text(header->descr, header->shape), ", the manifest says ",
                      dtype_text(entry.descr, entry.shape));
    }
  }
  const std::string place = entry.file.empty() ? path : concat(path, " (", entry.name, ")");
  const std::uint64_t wanted = entry.value_bytes();
  const bool is_whole = entry.file.empty()
                            ? bytes.size() == wanted
                            : entry.offset <= bytes.size() && wanted <= bytes.size() - entry.offset;
  if (is_whole) return MappedArray(std::move(*file), place, bytes.subspan(entry.offset, wanted));
  return bad_data(place, ": has ", bytes.size(), " bytes where ", wanted, " from byte ", entry.offset,
                  " on are listed; it is cut short, or of another output");
}

}  // namespace packscope::native
