// SPDX-License-Identifier: MIT
#include "output/megatron_index.hpp"

#include <functional>

#include "files/file_writer.hpp"
#include "files/mapped_file.hpp"
#include "message.hpp"
#include "output/byte_append.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kNumbersAtATime = 1 << 16;

using TakeBytes = std::function<Status(std::string_view)>;

// Number after number, `value(i)` for i below count.
template <class Value, class ValueAt>
Status take_numbers(std::uint64_t count, const ValueAt& value, const TakeBytes& take) {
  std::string piece;
  for (std::uint64_t i = 0; i < count; ++i) {
    append_value<Value>(piece, static_cast<Value>(value(i)));
    if ((i + 1) % kNumbersAtATime != 0 && i + 1 < count) continue;
    if (Status taken = take(piece); !taken) return taken;
    piece.clear();
  }
  return {};
}

// The index, a piece at a time.
Status for_each_piece(const ArrayEntry& entry, const TakeBytes& take) {
  const std::uint64_t rows = entry.shape[0];
  const std::uint64_t columns = entry.shape[1];
  const std::uint64_t row_bytes = columns * descr_bytes(entry.descr);
  std::string header(kMegatronMagic);
  append_value(header, kMegatronVersion);
  append_value(header, entry.descr == "<u2" ? kMegatronUint16 : kMegatronInt32);
  append_value(header, rows);
  append_value(header, rows + 1);
  if (Status taken = take(header); !taken) return taken;
  Status sizes = take_numbers<std::int32_t>(
      rows, [&](std::uint64_t) { return columns; }, take);
  if (!sizes) return sizes;
  const auto pointer = [&](std::uint64_t row) { return row * row_bytes; };
  if (Status pointers = take_numbers<std::int64_t>(rows, pointer, take); !pointers) return pointers;
  return take_numbers<std::int64_t>(
      rows + 1, [](std::uint64_t row) { return row; }, take);
}

std::string index_path(const std::string& folder, const ArrayEntry& entry) {
  return concat(folder, "/", entry.name, kMegatronIndexEnding);
}

}  // namespace

Status write_megatron_index(const std::string& folder, const ArrayEntry& entry) {
  Result<FileWriter> file = FileWriter::create(index_path(folder, entry));
  if (!file) return file.error();
  Status written = for_each_piece(entry, [&](std::string_view bytes) { return file->write(bytes); });
  return written ? file->close() : written;
}

Status check_megatron_index(const std::string& folder, const ArrayEntry& entry) {
  if (entry.file != concat(entry.name, kTokenFileEnding) || entry.shape.size() != 2) {
    return bad_data(folder, ": lists ", entry.name, " in ", entry.file,
                    ", which is no kind of file that holds arrays; the list is damaged");
  }
  const Result<MappedFile> tokens = MappedFile::open(concat(folder, "/", entry.file));
  if (!tokens) return tokens.error();
  if (tokens->bytes().size() != entry.value_bytes()) {
    return bad_data(folder, "/", entry.file, ": has ", tokens->bytes().size(), " bytes where its array has ",
                    entry.value_bytes());
  }
  Result<MappedFile> file = MappedFile::open(index_path(folder, entry));
  if (!file) return file.error();
  std::string_view left = as_text(file->bytes());
  const auto differs = [&] {
    return bad_data(index_path(folder, entry), ": is not the index of ", entry.shape[0], " sequences of ",
                    entry.shape[1], " tokens; the file is damaged or was changed");
  };
  Status same = for_each_piece(entry, [&](std::string_view bytes) -> Status {
    if (!left.starts_with(bytes)) return differs();
    left.remove_prefix(bytes.size());
    return {};
  });
  if (!same || left.empty()) return same;
  return differs();
}

}  // namespace packscope::native
