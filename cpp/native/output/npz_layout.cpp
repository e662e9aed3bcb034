// SPDX-License-Identifier: MIT
#include "output/npz_layout.hpp"

#include <algorithm>

#include "files/crc32.hpp"
#include "files/npy.hpp"
#include "output/byte_append.hpp"

namespace packscope::native {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kZip64EndSignature = 0x06064b50;
constexpr std::uint32_t kZip64LocatorSignature = 0x07064b50;
constexpr std::uint16_t kVersionNeeded = 45;  // the first with 64-bit sizes
constexpr std::uint16_t kUtf8Names = 1 << 11;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kNoTime = 0;
constexpr std::uint16_t kFirstDay = 1 << 5 | 1;  // 1 January 1980: the same bytes on any day
constexpr std::uint16_t kZip64Tag = 1;
constexpr std::uint32_t kElsewhere32 = UINT32_MAX;  // the number stands in the 64-bit part
constexpr std::uint16_t kElsewhere16 = UINT16_MAX;
constexpr std::uint64_t kLocalFixedBytes = 30;
constexpr std::uint64_t kLocalExtraBytes = 20;
constexpr std::uint64_t kZip64EndBytesBehind = 44;  // of its record, after the field that says so

struct Stored {
  std::string name;
  std::string npy_header;
  std::uint64_t bytes = 0;  // header and values
  std::uint64_t local_at = 0;
  std::uint32_t crc32 = 0;  // of them
};

std::string member_name(const ArrayEntry& entry) { return entry.name + ".npy"; }

std::uint64_t no_header(const std::vector<ArrayEntry>&) { return 0; }

std::uint64_t prefix_bytes(const ArrayEntry& entry) {
  return kLocalFixedBytes + member_name(entry).size() + kLocalExtraBytes + kNpyHeaderBytes;
}

Stored stored_of(const ArchiveMember& member) {
  const ArrayEntry& entry = member.entry;
  Stored stored{member_name(entry), npy_header({entry.descr, false, entry.shape}), 0, 0, 0};
  stored.bytes = stored.npy_header.size() + entry.value_bytes();
  stored.local_at = entry.offset - prefix_bytes(entry);
  const std::uint32_t of_header = crc32_of(std::as_bytes(std::span(stored.npy_header)));
  stored.crc32 = static_cast<std::uint32_t>(
      crc32_combine(of_header, member.crc32, static_cast<z_off_t>(entry.value_bytes())));
  return stored;
}

// What a member's two headers share.
void append_common(std::string& to, const Stored& stored, std::uint32_t bytes, std::uint16_t extra_bytes) {
  append_value(to, kVersionNeeded);
  append_value(to, kUtf8Names);
  append_value(to, kStored);
  append_value(to, kNoTime);
  append_value(to, kFirstDay);
  append_value(to, stored.crc32);
  append_value(to, bytes);  // compressed
  append_value(to, bytes);  // and not
  append_value(to, static_cast<std::uint16_t>(stored.name.size()));
  append_value(to, extra_bytes);
}

FramePiece local_header(const Stored& stored) {
  FramePiece piece{stored.local_at, {}};
  append_value(piece.bytes, kLocalSignature);
  append_common(piece.bytes, stored, kElsewhere32, kLocalExtraBytes);
  piece.bytes += stored.name;
  append_value(piece.bytes, kZip64Tag);
  append_value(piece.bytes, static_cast<std::uint16_t>(kLocalExtraBytes - 4));
  append_value(piece.bytes, stored.bytes);
  append_value(piece.bytes, stored.bytes);
  piece.bytes += stored.npy_header;
  return piece;
}

// Numbers below 4 GiB stand where readers without 64 bits look for them.
void append_central(std::string& to, const Stored& stored) {
  std::string extra;
  const auto number = [&](std::uint64_t value) {
    if (value < kElsewhere32) return static_cast<std::uint32_t>(value);
    append_value(extra, value);
    return kElsewhere32;
  };
  const std::uint32_t bytes = number(stored.bytes);
  if (bytes == kElsewhere32) append_value(extra, stored.bytes);
  const std::uint32_t local_at = number(stored.local_at);
  if (!extra.empty()) {
    std::string tagged;
    append_value(tagged, kZip64Tag);
    append_value(tagged, static_cast<std::uint16_t>(extra.size()));
    extra = tagged + extra;
  }
  append_value(to, kCentralSignature);
  append_value(to, kVersionNeeded);  // made by
  append_common(to, stored, bytes, static_cast<std::uint16_t>(extra.size()));
  append_value(to, std::uint16_t{0});  // no comment
  append_value(to, std::uint16_t{0});  // first disk
  append_value(to, std::uint16_t{0});  // binary
  append_value(to, std::uint32_t{0});  // no attributes
  append_value(to, local_at);
  to += stored.name + extra;
}

void append_zip64_end(std::string& to, std::uint64_t members, std::uint64_t central_at,
                      std::uint64_t central_bytes) {
  append_value(to, kZip64EndSignature);
  append_value(to, kZip64EndBytesBehind);
  append_value(to, kVersionNeeded);    // made by
  append_value(to, kVersionNeeded);    // to read
  append_value(to, std::uint32_t{0});  // this disk
  append_value(to, std::uint32_t{0});  // the directory's
  append_value(to, members);           // on this disk
  append_value(to, members);           // on all
  append_value(to, central_bytes);
  append_value(to, central_at);
  append_value(to, kZip64LocatorSignature);
  append_value(to, std::uint32_t{0});
  append_value(to, central_at + central_bytes);
  append_value(to, std::uint32_t{1});  // disks
}

FramePiece directory(const std::vector<Stored>& members, std::uint64_t at) {
  FramePiece piece{at, {}};
  std::string& to = piece.bytes;
  for (const Stored& member : members) append_central(to, member);
  const std::uint64_t bytes = to.size();
  const bool is_small = at < kElsewhere32 && bytes < kElsewhere32 && members.size() < kElsewhere16;
  if (!is_small) append_zip64_end(to, members.size(), at, bytes);
  const auto count = is_small ? static_cast<std::uint16_t>(members.size()) : kElsewhere16;
  append_value(to, kEndSignature);
  append_value(to, std::uint16_t{0});  // this disk
  append_value(to, std::uint16_t{0});  // the directory's
  append_value(to, count);             // on this disk
  append_value(to, count);             // on all
  append_value(to, is_small ? static_cast<std::uint32_t>(bytes) : kElsewhere32);
  append_value(to, is_small ? static_cast<std::uint32_t>(at) : kElsewhere32);
  append_value(to, std::uint16_t{0});  // no comment
  return piece;
}

std::vector<FramePiece> frame(const std::vector<ArchiveMember>& members) {
  std::vector<FramePiece> pieces;
  std::vector<Stored> stored;
  std::uint64_t end = 0;
  for (const ArchiveMember& member : members) {
    stored.push_back(stored_of(member));
    pieces.push_back(local_header(stored.back()));
    end = std::max(end, member.entry.offset + member.entry.value_bytes());
  }
  pieces.push_back(directory(stored, end));
  return pieces;
}

constexpr ArchiveLayout kLayout{"windows.npz", true, no_header, prefix_bytes, frame};

}  // namespace

const ArchiveLayout& npz_layout() { return kLayout; }

}  // namespace packscope::native
