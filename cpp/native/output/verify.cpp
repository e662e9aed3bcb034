// SPDX-License-Identifier: MIT
#include "output/verify.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "files/json_writer.hpp"
#include "files/mapped_array.hpp"
#include "message.hpp"
#include "output/batch_arrays.hpp"
#include "output/batch_ranges.hpp"
#include "output/output_parts.hpp"
#include "output/plan_reader.hpp"
#include "output/report_json.hpp"
#include "output/shards.hpp"
#include "output/token_walk.hpp"
#include "packscope/validate.hpp"
#include "packscope/xxh64.hpp"

namespace packscope::native {
namespace {

std::string value_text(std::string_view descr, const std::byte* bytes) {
  const auto as = [bytes]<class Value>(Value value) {
    std::memcpy(&value, bytes, sizeof value);
    return std::to_string(value);
  };
  if (descr == "|u1") return as(std::uint8_t{});
  if (descr == "<u2") return as(std::uint16_t{});
  if (descr == "<i4") return as(std::int32_t{});
  if (descr == "<i8") return as(std::int64_t{});
  if (descr == "<u4") return as(std::uint32_t{});
  if (descr == "<u8") return as(std::uint64_t{});
  return as(double{});
}

// One array on disk beside the one that the input gives.
struct Compared {
  const ArrayEntry* entry;
  MappedArray array;
  std::span<const std::byte> range;  // that of the current range
  std::uint64_t bytes_read = 0;      // before the current range
  Xxh64 hash;
};

class PartComparison {
 public:
  PartComparison(const OutputPart& part, const CorpusData& corpus, const Plan& plan, IdType ids)
      : part_(part), corpus_(corpus), plan_(plan), ids_(ids) {}

  Status run(TokenWalk* walk, const WorkShare& share) {
    const auto check_range = [&](const WindowRange& range, const std::vector<ArrayView>& expected) -> Status {
      if (Status taken = take_range(expected); !taken) return taken;
      if (walk) {
        if (Status walked = walk_range(*walk, range, expected); !walked) return walked;
      }
      return compare_range(expected, range.first);
    };
    Status compared = for_each_range(plan_, corpus_, part_.windows, ids_, share, check_range);
    if (!compared) return compared;
    return finish();
  }

  [[nodiscard]] std::uint64_t array_count() const { return arrays_.size(); }

 private:
  Status take_range(const std::vector<ArrayView>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (i == arrays_.size()) {
        if (Status opened = open(expected[i]); !opened) return opened;
      }
      Compared& compared = arrays_[i];
      const std::span<const std::byte> left = compared.array.bytes().subspan(compared.bytes_read);
      if (left.size() < expected[i].values.size()) return too_few(compared);
      compared.range = left.first(expected[i].values.size());
    }
    return {};
  }

  Status open(const ArrayView& expected) {
    const ArrayEntry* const entry = find_array(part_.arrays, expected.name);
    if (entry == nullptr) return bad_data(part_.folder, ": lists no ", expected.name);
    if (Status shaped = check_shape(*entry, expected); !shaped) return shaped;
    Result<MappedArray> array = MappedArray::open(part_.folder, *entry);
    if (!array) return array.error();
    arrays_.push_back({entry, std::move(*array), {}, 0, {}});
    return {};
  }

  Status check_shape(const ArrayEntry& entry, const ArrayView& expected) const {
    const std::vector<std::uint64_t>& shape = entry.shape;
    const bool flat = expected.columns == 0;
    const bool sound = entry.descr == expected.descr && shape.size() == (flat ? 1u : 2u) &&
                       (!expected.per_window || shape[0] == part_.windows.size()) &&
                       (flat || shape[1] == expected.columns);
    if (sound) return {};
    return bad_data(part_.folder, "/", entry.file_name(), ": the dtype or shape of ", entry.name,
                    " is not that of ", part_.windows.size(), " windows");
  }

  Status walk_range(TokenWalk& walk, WindowRange range, const std::vector<ArrayView>& expected) {
    std::vector<std::int32_t> input_ids, labels;
    std::vector<std::int64_t> doc_ids;
    for (std::uint64_t index = 0; index < range.size(); ++index) {
      read_row(expected, "input_ids", index, input_ids);
      read_row(expected, "labels", index, labels);
      read_row(expected, "doc_ids", index, doc_ids);
      Status walked = walk.check_window(range.first + index, input_ids, labels, doc_ids);
      if (!walked) return bad_data(part_.folder, ": ", walked.error().message);
    }
    return {};
  }

  // A window's values in the array of this name, of whatever width.
  template <class Value>
  void read_row(const std::vector<ArrayView>& expected, std::string_view name, std::uint64_t row,
                std::vector<Value>& values) const {
    std::size_t array = 0;
    while (expected[array].name != name) ++array;
    const std::uint64_t length = plan_.options.context_length;
    const std::size_t width = expected[array].value_bytes;
    const std::byte* from = arrays_[array].range.data() + row * length * width;
    values.resize(length);
    if (width == sizeof(Value)) {
      std::memcpy(values.data(), from, length * width);
    } else if (width == sizeof(std::uint16_t)) {
      widen<std::uint16_t>(from, values);
    } else {
      widen<std::int32_t>(from, values);
    }
  }

  template <class Stored, class Value>
  static void widen(const std::byte* from, std::vector<Value>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Stored value;
      std::memcpy(&value, from + i * sizeof value, sizeof value);
      values[i] = value;
    }
  }

  Status compare_range(const std::vector<ArrayView>& expected, std::uint64_t first_window) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::span<const std::byte> on_disk = arrays_[i].range;
      const std::span<const std::byte> fresh = expected[i].values;
      if (!on_disk.empty() && std::memcmp(on_disk.data(), fresh.data(), on_disk.size()) != 0) {
        const auto byte = static_cast<std::size_t>(
            std::mismatch(on_disk.begin(), on_disk.end(), fresh.begin()).first - on_disk.begin());
        return difference(expected[i], arrays_[i], byte / expected[i].value_bytes, first_window);
      }
      arrays_[i].hash.update(on_disk);
      arrays_[i].bytes_read += on_disk.size();
    }
    return {};
  }

  Error difference(const ArrayView& expected, const Compared& compared, std::uint64_t index,
                   std::uint64_t first_window) const {
    const std::uint64_t columns = expected.columns;
    std::string place = concat("index ", compared.bytes_read / expected.value_bytes + index);
    if (columns > 0)
      place = concat("window ", first_window + index / columns, ", position ", index % columns);
    if (columns == 0 && expected.per_window) place = concat("window ", first_window + index);
    const std::size_t at = index * expected.value_bytes;
    return bad_data(compared.array.place(), ": ", place, " holds ",
                    value_text(expected.descr, compared.range.data() + at), ", the input gives ",
                    value_text(expected.descr, expected.values.data() + at));
  }

  [[nodiscard]] Error too_few(const Compared& compared) const {
    return bad_data(compared.array.place(), ": has ", counted_noun(compared.array.bytes().size(), "byte"),
                    ", the input gives more");
  }

  Status finish() {
    for (const Compared& compared : arrays_) {
      if (compared.bytes_read < compared.array.bytes().size()) {
        return bad_data(compared.array.place(), ": has ", counted_noun(compared.array.bytes().size(), "byte"),
                        ", the input gives ", compared.bytes_read);
      }
      Status same = check_checksum(compared.array.place(), *compared.entry, compared.hash.digest());
      if (!same) return same;
    }
    if (part_.arrays.size() != arrays_.size()) {
      return bad_data(part_.folder, ": its list has ", part_.arrays.size(),
                      " arrays of windows, the input gives ", arrays_.size(),
                      "; the reader's flags differ from those of pack");
    }
    return {};
  }

  const OutputPart& part_;
  const CorpusData& corpus_;
  const Plan& plan_;
  IdType ids_;
  std::vector<Compared> arrays_;
};

// A plan alone has no other arrays; one in shards has them there.
Status check_manifest(const std::string& folder, const Manifest& manifest) {
  const bool only_plan = manifest.plan_only || manifest.shard_windows;
  if (only_plan != (manifest.arrays.size() == kPlanArrays)) {
    return bad_data(folder, ": the manifest says plan_only ", manifest.plan_only ? "true" : "false",
                    ", but lists ", manifest.arrays.size(), " arrays; a plan alone has ", kPlanArrays);
  }
  return check_listing(folder, manifest.arrays);
}

// A shard has a list of its own; the folder's is checked already.
Status check_part_listing(const OutputPart& part, const std::string& folder) {
  return part.folder == folder ? Status() : check_listing(part.folder, part.arrays);
}

// The plan's arrays come last where those of windows stand beside them.
std::vector<ArrayEntry> plan_arrays(const Manifest& manifest) {
  const std::size_t count = std::min(manifest.arrays.size(), kPlanArrays);
  return {manifest.arrays.end() - static_cast<std::ptrdiff_t>(count), manifest.arrays.end()};
}

// What the report says is what the plan gives.
Status check_stats(const Plan& plan, const CorpusData& corpus, const Manifest& manifest) {
  Result<Stats> measured = stats(plan, corpus.view());
  if (!measured) return measured.error();
  // With shards, or as a stream, a run does not have all tokens at once, which alone tell these.
  if (!manifest.stats.exact_duplicates) measured->exact_duplicates.reset();
  if (!manifest.stats.documents_without_target) measured->documents_without_target.reset();
  JsonWriter fresh(JsonWriter::Layout::one_line), listed(JsonWriter::Layout::one_line);
  write_stats(fresh, *measured);
  write_stats(listed, manifest.stats);
  if (fresh.text() == listed.text()) return {};
  return bad_data("the manifest's stats are ", listed.text(), ", the plan gives ", fresh.text());
}

Status check_totals(const Manifest& manifest, const CorpusData& corpus) {
  const Ledger& ledger = manifest.ledger;
  if (ledger.documents == corpus.document_count() && ledger.tokens == corpus.token_count()) return {};
  return bad_data("the input has ", corpus.document_count(), " documents and ", corpus.token_count(),
                  " tokens, the folder was made of ", ledger.documents, " and ", ledger.tokens,
                  "; is it the same input, read with the same flags?");
}

Status check_fingerprint(const Plan& plan, const Manifest& manifest) {
  const std::string computed = fingerprint_text(fingerprint(plan));
  if (computed == manifest.fingerprint) return {};
  return bad_data("the plan's fingerprint is ", computed, ", the manifest says ", manifest.fingerprint);
}

}  // namespace

Result<Verified> verify_folder(const std::string& folder, const Manifest& manifest, const CorpusData& corpus,
                               const WorkShare& share) {
  const auto in_folder = [&](const Status& status) { return bad_data(folder, ": ", status.error().message); };
  if (Status same = check_totals(manifest, corpus); !same) return in_folder(same);
  if (Status listed = check_manifest(folder, manifest); !listed) return listed.error();
  Result<Plan> plan = read_plan(folder, manifest);
  if (!plan) return plan.error();
  if (Status same = check_fingerprint(*plan, manifest); !same) return in_folder(same);

  const Corpus view = corpus.view();
  const std::vector<std::uint32_t> lengths = document_lengths(view);
  std::vector<std::uint8_t> duplicates;
  if (plan->options.drop_duplicates && corpus.tokens_known) duplicates = find_duplicates(view);
  const Documents documents{.lengths = lengths,
                            .sources = corpus.sources,
                            .source_names = corpus.source_names,
                            .duplicates = duplicates};
  if (Status valid = validate(*plan, documents); !valid) return in_folder(valid);
  if (Status same = check_stats(*plan, corpus, manifest); !same) return in_folder(same);

  const Result<std::vector<OutputPart>> parts = output_parts(folder, manifest, *plan);
  if (!parts) return parts.error();
  Verified verified{.windows = plan->window_count(), .tokens = corpus.token_count(), .arrays = kPlanArrays};
  if (Status intact = check_checksums(folder, plan_arrays(manifest)); !intact) return intact.error();
  if (manifest.plan_only) return verified;
  std::optional<TokenWalk> walk;
  if (corpus.tokens_known) walk.emplace(*plan, view);
  for (const OutputPart& part : *parts) {
    if (Status listed = check_part_listing(part, folder); !listed) return listed.error();
    PartComparison comparison(part, corpus, *plan, manifest.stored_as.ids);
    WorkShare of_part = share;
    of_part.progress = [&](std::uint64_t done, std::uint64_t) {
      if (share.progress) share.progress(part.windows.first + done, plan->window_count());
    };
    if (Status same = comparison.run(walk ? &*walk : nullptr, of_part); !same) return same.error();
    verified.arrays += comparison.array_count();
  }
  if (walk) {
    if (Status complete = walk->finish(); !complete) return in_folder(complete);
  }
  verified.token_by_token = walk.has_value();
  return verified;
}

Result<Verified> verify_files(const std::string& folder, const Manifest& manifest) {
  if (Status listed = check_manifest(folder, manifest); !listed) return listed.error();
  Result<Plan> plan = read_plan(folder, manifest);
  if (!plan) return plan.error();
  if (Status same = check_fingerprint(*plan, manifest); !same)
    return bad_data(folder, ": ", same.error().message);
  const Result<std::vector<OutputPart>> parts = output_parts(folder, manifest, *plan);
  if (!parts) return parts.error();
  Verified verified{.windows = plan->window_count(), .tokens = manifest.ledger.tokens, .arrays = kPlanArrays};
  if (Status intact = check_checksums(folder, plan_arrays(manifest)); !intact) return intact.error();
  for (const OutputPart& part : *parts) {
    verified.arrays += part.arrays.size();
    if (Status listed = check_part_listing(part, folder); !listed) return listed.error();
    if (Status intact = check_checksums(part.folder, part.arrays); !intact) return intact.error();
  }
  return verified;
}

}  // namespace packscope::native
