// SPDX-License-Identifier: MIT
#include "output/safetensors_layout.hpp"

#include <algorithm>

#include "files/json_writer.hpp"
#include "output/byte_append.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kAlignment = 8;

std::string_view tensor_type(std::string_view descr) {
  if (descr == "|u1") return "U8";
  if (descr == "<u2") return "U16";
  if (descr == "<i4") return "I32";
  if (descr == "<u4") return "U32";
  if (descr == "<i8") return "I64";
  if (descr == "<u8") return "U64";
  return "F64";
}

std::string header_text(const std::vector<ArrayEntry>& entries, std::uint64_t values_at) {
  JsonWriter json(JsonWriter::Layout::one_line);
  json.begin_object().key("__metadata__").begin_object().member("writer", "packscope").end_object();
  for (const ArrayEntry& entry : entries) {
    json.key(entry.name).begin_object().member("dtype", tensor_type(entry.descr)).key("shape").begin_array();
    for (const std::uint64_t extent : entry.shape) json.value(extent);
    json.end_array().key("data_offsets").begin_array();
    json.value(entry.offset - values_at).value(entry.offset - values_at + entry.value_bytes());
    json.end_array().end_object();
  }
  json.end_object();
  return json.text();
}

// Room for the largest numbers; the rest is filled with spaces, as the format allows.
std::uint64_t header_bytes(const std::vector<ArrayEntry>& entries) {
  std::vector<ArrayEntry> largest = entries;
  for (ArrayEntry& entry : largest) {
    entry.shape = {UINT64_MAX, UINT64_MAX};
    entry.offset = UINT64_MAX;
  }
  const std::uint64_t bytes = kLengthBytes + header_text(largest, 0).size();
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t prefix_bytes(const ArrayEntry&) { return 0; }

std::vector<FramePiece> frame(const std::vector<ArchiveMember>& members) {
  std::vector<ArrayEntry> entries;
  for (const ArchiveMember& member : members) entries.push_back(member.entry);
  const std::uint64_t bytes = header_bytes(entries);
  std::sort(entries.begin(), entries.end(),
            [](const ArrayEntry& a, const ArrayEntry& b) { return a.offset < b.offset; });
  std::string header;
  append_value(header, bytes - kLengthBytes);
  header += header_text(entries, bytes);
  header.resize(bytes, ' ');
  return {{0, std::move(header)}};
}

constexpr ArchiveLayout kLayout{"windows.safetensors", false, header_bytes, prefix_bytes, frame};

}  // namespace

const ArchiveLayout& safetensors_layout() { return kLayout; }

}  // namespace packscope::native
