// SPDX-License-Identifier: MIT
// All arrays in one file, where each has its place before its values are known: an .npz or a .safetensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "files/file_writer.hpp"
#include "output/array_store.hpp"
#include "output/array_tally.hpp"

namespace packscope::native {

struct ArchiveMember {
  ArrayEntry entry;
  std::uint32_t crc32 = 0;  // of the values, where the format asks for it
};

// A part of an archive that is not an array's values.
struct FramePiece {
  std::uint64_t offset = 0;
  std::string bytes;
};

// How a format lays out its file. Everything around the values follows from the list of arrays.
struct ArchiveLayout {
  std::string_view file_name;
  bool wants_crc32;
  std::uint64_t (*header_bytes)(const std::vector<ArrayEntry>& entries);  // shapes are not read
  std::uint64_t (*prefix_bytes)(const ArrayEntry& entry);                 // in front of an array's values
  // `members` have their places.
  std::vector<FramePiece> (*frame)(const std::vector<ArchiveMember>& members);
};

// None: the container is not one file.
const ArchiveLayout* archive_layout(Container container);
// The one of this file name, or none.
const ArchiveLayout* archive_layout(std::string_view file_name);

class ArrayArchive : public ArrayStore {
 public:
  ArrayArchive(const std::string& folder, const ArchiveLayout& layout, std::uint64_t rows)
      : path_(folder + "/" + std::string(layout.file_name)), layout_(layout), rows_(rows) {}

  Status append(const std::vector<ArrayView>& arrays) override;
  Status finish(std::vector<ArrayEntry>& entries) override;

 private:
  struct Member {
    ArrayTally tally;
    std::uint64_t offset = 0;
    std::uint32_t crc32 = 0;
    bool is_placed = false;
    std::string held;  // the values, where their number is not known beforehand
  };
  Status begin(const std::vector<ArrayView>& arrays);
  Status add(Member& member, std::span<const std::byte> values);
  void place(Member& member, std::uint64_t bytes);
  Status write_held();

  std::string path_;
  const ArchiveLayout& layout_;
  std::uint64_t rows_;
  std::uint64_t end_ = 0;
  std::optional<FileWriter> file_;
  std::vector<Member> members_;
};

// Errors where what stands around the values is not what `entries` give.
Status check_archive(const std::string& folder, const ArchiveLayout& layout,
                     const std::vector<ArrayEntry>& entries);

}  // namespace packscope::native
