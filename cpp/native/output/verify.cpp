// SPDX-License-Identifier: MIT
#include "output/verify.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "files/json_writer.hpp"
#include "files/npy.hpp"
#include "message.hpp"
#include "output/batch_arrays.hpp"
#include "output/batch_ranges.hpp"
#include "output/output_parts.hpp"
#include "output/plan_reader.hpp"
#include "output/report_json.hpp"
#include "output/shards.hpp"
#include "output/token_walk.hpp"
#include "packscope/validate.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kRangeBytes = 16 << 20;

std::string value_text(std::string_view descr, const char* bytes) {
  const auto as = [bytes]<class Value>(Value value) {
    std::memcpy(&value, bytes, sizeof value);
    return std::to_string(value);
  };
  if (descr == "|u1") return as(std::uint8_t{});
  if (descr == "<i4") return as(std::int32_t{});
  if (descr == "<i8") return as(std::int64_t{});
  if (descr == "<u4") return as(std::uint32_t{});
  if (descr == "<u8") return as(std::uint64_t{});
  return as(double{});
}

// One array on disk beside the one that the input gives.
struct Compared {
  ArrayFile file;
  std::vector<char> bytes;        // the current range, from disk
  std::uint64_t values_read = 0;  // before the current range
};

class PartComparison {
 public:
  PartComparison(const OutputPart& part, const CorpusData& corpus, const Plan& plan)
      : part_(part), corpus_(corpus), plan_(plan) {}

  Status run(TokenWalk* walk, const WorkShare& share) {
    const auto check_range = [&](const WindowRange& range, const std::vector<ArrayView>& expected) -> Status {
      if (Status read = read_range(expected); !read) return read;
      if (walk) {
        if (Status walked = walk_range(*walk, range, expected); !walked) return walked;
      }
      return compare_range(expected, range.first);
    };
    Status compared = for_each_range(plan_, corpus_, part_.windows, kRangeBytes, share, check_range);
    if (!compared) return compared;
    return finish();
  }

  [[nodiscard]] std::uint64_t array_count() const { return arrays_.size(); }

 private:
  Status read_range(const std::vector<ArrayView>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (i == arrays_.size()) {
        Result<ArrayFile> file = ArrayFile::open(part_.folder, expected[i].name, expected[i].descr);
        if (!file) return file.error();
        if (Status shaped = check_shape(*file, expected[i]); !shaped) return shaped;
        arrays_.push_back({std::move(*file), {}, 0});
      }
      arrays_[i].bytes.resize(expected[i].values.size());
      if (Status read = arrays_[i].file.read(arrays_[i].bytes); !read) return read;
    }
    return {};
  }

  Status check_shape(const ArrayFile& file, const ArrayView& expected) const {
    const std::vector<std::uint64_t>& shape = file.header().shape;
    const bool flat = expected.columns == 0;
    const bool sound = shape.size() == (flat ? 1u : 2u) &&
                       (!expected.per_window || shape[0] == part_.windows.size()) &&
                       (flat || shape[1] == expected.columns);
    if (sound) return {};
    return bad_data(file.path(), ": the shape in its header is not that of ", part_.windows.size(),
                    " windows");
  }

  Status walk_range(TokenWalk& walk, WindowRange range, const std::vector<ArrayView>& expected) {
    const std::uint64_t length = plan_.options.context_length;
    const auto bytes_of = [&](std::string_view name) -> const char* {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].name == name) return arrays_[i].bytes.data();
      }
      return nullptr;
    };
    const auto wide = std::find_if(expected.begin(), expected.end(), [](const ArrayView& array) {
                        return array.name == "doc_ids";
                      })->value_bytes == 8;
    std::vector<std::int32_t> input_ids(length), labels(length), narrow_doc_ids(length);
    std::vector<std::int64_t> doc_ids(length);
    for (std::uint64_t index = 0; index < range.size(); ++index) {
      std::memcpy(input_ids.data(), bytes_of("input_ids") + index * length * 4, length * 4);
      std::memcpy(labels.data(), bytes_of("labels") + index * length * 4, length * 4);
      if (wide) {
        std::memcpy(doc_ids.data(), bytes_of("doc_ids") + index * length * 8, length * 8);
      } else {
        std::memcpy(narrow_doc_ids.data(), bytes_of("doc_ids") + index * length * 4, length * 4);
        std::copy(narrow_doc_ids.begin(), narrow_doc_ids.end(), doc_ids.begin());
      }
      Status walked = walk.check_window(range.first + index, input_ids, labels, doc_ids);
      if (!walked) return bad_data(part_.folder, ": ", walked.error().message);
    }
    return {};
  }

  Status compare_range(const std::vector<ArrayView>& expected, std::uint64_t first_window) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const char* on_disk = arrays_[i].bytes.data();
      const char* fresh = reinterpret_cast<const char*>(expected[i].values.data());
      const std::size_t size = arrays_[i].bytes.size();
      if (size > 0 && std::memcmp(on_disk, fresh, size) != 0) {
        const std::size_t byte =
            static_cast<std::size_t>(std::mismatch(on_disk, on_disk + size, fresh).first - on_disk);
        return difference(expected[i], arrays_[i], byte / expected[i].value_bytes, first_window);
      }
      arrays_[i].values_read += size / expected[i].value_bytes;
    }
    return {};
  }

  Error difference(const ArrayView& expected, const Compared& array, std::uint64_t index,
                   std::uint64_t first_window) const {
    const std::uint64_t columns = expected.columns;
    std::string place = concat("index ", array.values_read + index);
    if (columns > 0)
      place = concat("window ", first_window + index / columns, ", position ", index % columns);
    if (columns == 0 && expected.per_window) place = concat("window ", first_window + index);
    const std::size_t at = index * expected.value_bytes;
    return bad_data(array.file.path(), ": ", place, " holds ",
                    value_text(expected.descr, array.bytes.data() + at), ", the input gives ",
                    value_text(expected.descr, reinterpret_cast<const char*>(expected.values.data()) + at));
  }

  Status finish() {
    for (Compared& array : arrays_) {
      if (Status finished = array.file.finish(); !finished) return finished;
      // The ranges add up to what the header claims: values read are values there.
      if (array.values_read != array.file.header().value_count()) {
        return bad_data(array.file.path(), ": its header announces ",
                        counted_noun(array.file.header().value_count(), "value"), ", the input gives ",
                        array.values_read);
      }
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

Status check_all_checksums(const std::string& folder, const Manifest& manifest,
                           const std::vector<OutputPart>& parts) {
  if (Status intact = check_checksums(folder, manifest.arrays); !intact) return intact;
  for (const OutputPart& part : parts) {
    if (part.folder == folder) continue;
    if (Status intact = check_checksums(part.folder, part.arrays); !intact) return intact;
  }
  return {};
}

// What the report says is what the plan gives.
Status check_stats(const Plan& plan, const CorpusData& corpus, const Manifest& manifest) {
  Result<Stats> measured = stats(plan, corpus.view());
  if (!measured) return measured.error();
  if (manifest.shard_windows) leave_out_token_stats(*measured);
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

  const Result<std::vector<OutputPart>> parts = output_parts(folder, manifest, plan->window_count());
  if (!parts) return parts.error();
  Verified verified{.windows = plan->window_count(), .tokens = corpus.token_count(), .arrays = kPlanArrays};
  if (manifest.plan_only) {
    if (Status intact = check_checksums(folder, manifest.arrays); !intact) return intact.error();
    return verified;
  }
  std::optional<TokenWalk> walk;
  if (corpus.tokens_known) walk.emplace(*plan, view);
  for (const OutputPart& part : *parts) {
    if (Status listed = check_part_listing(part, folder); !listed) return listed.error();
    PartComparison comparison(part, corpus, *plan);
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
  if (Status intact = check_all_checksums(folder, manifest, *parts); !intact) return intact.error();
  verified.token_by_token = walk.has_value();
  return verified;
}

Result<Verified> verify_files(const std::string& folder, const Manifest& manifest) {
  if (Status listed = check_manifest(folder, manifest); !listed) return listed.error();
  Result<Plan> plan = read_plan(folder, manifest);
  if (!plan) return plan.error();
  if (Status same = check_fingerprint(*plan, manifest); !same)
    return bad_data(folder, ": ", same.error().message);
  const Result<std::vector<OutputPart>> parts = output_parts(folder, manifest, plan->window_count());
  if (!parts) return parts.error();
  Verified verified{.windows = plan->window_count(), .tokens = manifest.ledger.tokens, .arrays = kPlanArrays};
  for (const OutputPart& part : *parts) {
    verified.arrays += part.arrays.size();
    if (Status listed = check_part_listing(part, folder); !listed) return listed.error();
  }
  if (Status intact = check_all_checksums(folder, manifest, *parts); !intact) return intact.error();
  return verified;
}

}  // namespace packscope::native
