// SPDX-License-Identifier: MIT
#include "output/plan_reader.hpp"

#include <algorithm>
#include <cstring>

#include "files/mapped_array.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

template <class Value>
Result<std::vector<Value>> read_values(const std::string& folder, const Manifest& manifest,
                                       std::string_view name, std::string_view descr) {
  const ArrayEntry* const listed = find_array(manifest.arrays, name);
  if (listed == nullptr) return bad_data(folder, ": the manifest lists no ", name);
  if (listed->descr != descr) {
    return bad_data(folder, "/", listed->file_name(), ": dtype '", listed->descr, "' where '", descr,
                    "' in C order is expected");
  }
  if (listed->shape.size() != 1)
    return bad_data(folder, "/", listed->file_name(), ": must have one dimension");
  const Result<MappedArray> array = MappedArray::open(folder, *listed);
  if (!array) return array.error();
  std::vector<Value> values(array->bytes().size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), array->bytes().data(), array->bytes().size());
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

Result<Plan> read_plan(const std::string& folder, const Manifest& manifest) {
  auto documents = read_values<std::uint32_t>(folder, manifest, "segment_document", "<u4");
  if (!documents) return documents.error();
  auto offsets = read_values<std::uint32_t>(folder, manifest, "segment_offset", "<u4");
  if (!offsets) return offsets.error();
  auto lengths = read_values<std::uint32_t>(folder, manifest, "segment_length", "<u4");
  if (!lengths) return lengths.error();
  auto windows = read_values<std::uint64_t>(folder, manifest, "window_offsets", "<u8");
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
  if (plan.ledger_by_source.empty()) {
    plan.ledger_by_source.push_back(plan.ledger);
    plan.ledger_by_source.front().filler_windows = 0;  // never of a source
  }
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
