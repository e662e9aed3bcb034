// SPDX-License-Identifier: MIT
#include "output/plan_reader.hpp"

#include <algorithm>

#include "message.hpp"

namespace packscope::native {
namespace {

// So much is asked for at once, whatever a header claims.
constexpr std::uint64_t kChunkValues = 1 << 20;

template <class Value>
Result<std::vector<Value>> read_values(const std::string& folder, std::string_view name,
                                       std::string_view descr) {
  Result<ArrayFile> file = ArrayFile::open(folder, name, descr);
  if (!file) return file.error();
  if (file->header().shape.size() != 1) return bad_data(file->path(), ": must have one dimension");
  std::vector<Value> values;
  const std::uint64_t count = file->header().value_count();
  while (values.size() < count) {
    const std::size_t begin = values.size();
    values.resize(begin + static_cast<std::size_t>(std::min(kChunkValues, count - begin)));
    const auto bytes = std::as_writable_bytes(std::span(values).subspan(begin));
    if (Status read = file->read({reinterpret_cast<char*>(bytes.data()), bytes.size()}); !read)
      return read.error();
  }
  if (Status finished = file->finish(); !finished) return finished.error();
  return values;
}

Status check_offsets(const std::vector<std::uint64_t>& offsets, std::uint64_t segments) {
  const bool sound = !offsets.empty() && offsets.front() == 0 && offsets.back() == segments &&
                     std::is_sorted(offsets.begin(), offsets.end());
  if (sound) return {};
  return bad_data("window_offsets does not ascend from 0 to the ", segments,
                  " segments; the folder is damaged");
}

}  // namespace

Result<ArrayFile> ArrayFile::open(const std::string& folder, std::string_view name, std::string_view descr) {
  Result<ByteSource> source = ByteSource::open(concat(folder, "/", name, ".npy"));
  if (!source) return source.error();
  Result<NpyHeader> header = read_npy_header(*source);
  if (!header) return header.error();
  if (header->descr != descr || header->fortran_order) {
    return bad_data(source->name(), ": dtype '", header->descr, "' where '", descr,
                    "' in C order is expected");
  }
  return ArrayFile(std::move(*source), *std::move(header));
}

Status ArrayFile::finish() {
  char extra = 0;
  Result<std::size_t> got = source_.read({&extra, 1});
  if (!got) return got.error();
  if (*got == 0) return {};
  return bad_data(path(), ": more bytes follow the values that the header announces");
}

Result<Plan> read_plan(const std::string& folder, const Manifest& manifest) {
  auto documents = read_values<std::uint32_t>(folder, "segment_document", "<u4");
  if (!documents) return documents.error();
  auto offsets = read_values<std::uint32_t>(folder, "segment_offset", "<u4");
  if (!offsets) return offsets.error();
  auto lengths = read_values<std::uint32_t>(folder, "segment_length", "<u4");
  if (!lengths) return lengths.error();
  auto windows = read_values<std::uint64_t>(folder, "window_offsets", "<u8");
  if (!windows) return windows.error();
  if (offsets->size() != documents->size() || lengths->size() != documents->size()) {
    return bad_data(folder, ": segment_document, segment_offset and segment_length differ in size");
  }
  if (Status sound = check_offsets(*windows, documents->size()); !sound) {
    return bad_data(folder, ": ", sound.error().message);
  }
  Plan plan;
  plan.segments.reserve(documents->size());
  for (std::size_t i = 0; i < documents->size(); ++i) {
    plan.segments.push_back({(*documents)[i], (*offsets)[i], (*lengths)[i]});
  }
  plan.window_offsets.assign(windows->begin(), windows->end());
  plan.options = manifest.options;
  plan.ledger = manifest.ledger;
  plan.source_names = manifest.source_names;
  plan.ledger_by_source = manifest.ledger_by_source;
  if (plan.ledger_by_source.empty()) plan.ledger_by_source.push_back(plan.ledger);
  return plan;
}

Result<PackedFolder> read_packed_folder(const std::string& folder) {
  Result<Manifest> manifest = read_manifest(folder);
  if (!manifest) return manifest.error();
  Result<Plan> plan = read_plan(folder, *manifest);
  if (!plan) return plan.error();
  return PackedFolder{*std::move(manifest), *std::move(plan)};
}

}  // namespace packscope::native
