// SPDX-License-Identifier: MIT
#include "output/array_archive.hpp"

#include <algorithm>

#include "files/crc32.hpp"
#include "files/mapped_array.hpp"
#include "message.hpp"
#include "output/npz_layout.hpp"
#include "output/safetensors_layout.hpp"

namespace packscope::native {
namespace {

// Values of these widths come first, so that each array begins at a multiple of its own.
constexpr std::uint64_t kWidths[] = {8, 4, 2, 1};

}  // namespace

const ArchiveLayout* archive_layout(Container container) {
  if (container == Container::npz) return &npz_layout();
  return container == Container::safetensors ? &safetensors_layout() : nullptr;
}

const ArchiveLayout* archive_layout(std::string_view file_name) {
  for (const ArchiveLayout* layout : {&npz_layout(), &safetensors_layout()}) {
    if (layout->file_name == file_name) return layout;
  }
  return nullptr;
}

void ArrayArchive::place(Member& member, std::uint64_t bytes) {
  member.offset = end_ + layout_.prefix_bytes(member.tally.entry());
  end_ = member.offset + bytes;
  member.is_placed = true;
}

// Matrices get their places: their sizes are known.
Status ArrayArchive::begin(const std::vector<ArrayView>& arrays) {
  Result<FileWriter> file = FileWriter::create(path_);
  if (!file) return file.error();
  file_.emplace(std::move(*file));
  std::vector<ArrayEntry> entries;
  for (const ArrayView& array : arrays) {
    members_.push_back({ArrayTally(array), 0, 0, false, {}});
    entries.push_back(members_.back().tally.entry());
  }
  end_ = layout_.header_bytes(entries);
  for (const std::uint64_t width : kWidths) {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].columns > 0 && arrays[i].value_bytes == width)
        place(members_[i], rows_ * arrays[i].columns * width);
    }
  }
  return {};
}

Status ArrayArchive::add(Member& member, std::span<const std::byte> values) {
  const std::uint64_t at = member.offset + member.tally.bytes();
  member.tally.add(values);
  if (layout_.wants_crc32) member.crc32 = crc32_of(values, member.crc32);
  if (member.is_placed) return file_->write_at(at, as_text(values));
  member.held += as_text(values);
  return {};
}

Status ArrayArchive::append(const std::vector<ArrayView>& arrays) {
  if (!file_) {
    if (Status begun = begin(arrays); !begun) return begun;
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (Status added = add(members_[i], arrays[i].values); !added) return added;
  }
  return {};
}

Status ArrayArchive::write_held() {
  for (const std::uint64_t width : kWidths) {
    for (Member& member : members_) {
      if (member.is_placed || member.tally.width() != width) continue;
      place(member, member.held.size());
      if (Status written = file_->write_at(member.offset, member.held); !written) return written;
    }
  }
  return {};
}

Status ArrayArchive::finish(std::vector<ArrayEntry>& entries) {
  if (Status written = write_held(); !written) return written;
  std::vector<ArchiveMember> listed;
  for (const Member& member : members_) {
    ArrayEntry entry = member.tally.entry();
    entry.file = layout_.file_name;
    entry.offset = member.offset;
    entries.push_back(entry);
    listed.push_back({std::move(entry), member.crc32});
  }
  for (const FramePiece& piece : layout_.frame(listed)) {
    if (Status written = file_->write_at(piece.offset, piece.bytes); !written) return written;
  }
  return file_->close();
}

Status check_archive(const std::string& folder, const ArchiveLayout& layout,
                     const std::vector<ArrayEntry>& entries) {
  std::vector<ArchiveMember> members;
  std::uint64_t end = layout.header_bytes(entries);
  for (const ArrayEntry& entry : entries) {
    const Result<MappedArray> array = MappedArray::open(folder, entry);
    if (!array) return array.error();
    members.push_back({entry, layout.wants_crc32 ? crc32_of(array->bytes()) : 0});
    end = std::max(end, entry.offset + entry.value_bytes());
  }
  const std::string path = concat(folder, "/", layout.file_name);
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  const std::string_view bytes = as_text(file->bytes());
  bool same = true;
  for (const FramePiece& piece : layout.frame(members)) {
    same = same && piece.offset <= bytes.size() && bytes.substr(piece.offset).starts_with(piece.bytes);
    end = std::max(end, piece.offset + piece.bytes.size());
  }
  if (same && end == bytes.size()) return {};
  return bad_data(path,
                  ": what stands around its arrays is not what the list of arrays gives; the file is "
                  "damaged or was changed");
}

}  // namespace packscope::native
