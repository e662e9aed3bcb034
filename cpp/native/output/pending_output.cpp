// SPDX-License-Identifier: MIT
#include "output/pending_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "files/durable.hpp"
#include "input/corpus_folder.hpp"
#include "message.hpp"
#include "output/manifest.hpp"
#include "output/output_parts.hpp"
#include "output/shards.hpp"

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

// What an interrupted program has to remove. Held while the path or what stands there changes.
struct Uncommitted {
  std::mutex mutex;
  fs::path path;
  fs::path kept;  // of a run that failed
};
Uncommitted& uncommitted() {
  static Uncommitted& only = *new Uncommitted;  // never destroyed: a signal may come while main returns
  return only;
}

Error refused(std::string_view what, const fs::path& path, const std::error_code& error) {
  return {ErrorCode::io_error, concat(what, " ", path.string(), ": ", error.message())};
}

Error stays(const fs::path& target, std::string_view why, std::string_view remedy) {
  return bad_usage(target.string(), " exists and ", why, "; it stays as it is. ", remedy,
                   " or write elsewhere with -o");
}

bool is_ours(const Manifest& manifest, const std::string& name) {
  if (name == kManifestName || name == kLedgerName) return true;
  return lists_file(manifest.arrays, name);
}

// Whether nothing stands in a folder but arrays and the file that lists them.
bool holds_only_arrays(const fs::path& folder, std::string_view list) {
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    const bool named = file.path().filename() == list || is_array_file(file.path());
    if (!named || !fs::is_regular_file(file.symlink_status())) return false;
  }
  return !error;
}

bool is_our_shard(const Manifest& manifest, const fs::directory_entry& folder) {
  const bool named = manifest.shard_windows && is_shard_name(folder.path().filename().string());
  return named && fs::is_directory(folder.symlink_status()) && holds_only_arrays(folder.path(), kShardName);
}

// As lengths leaves it.
bool is_our_corpus(const fs::path& folder) {
  return is_corpus_folder(folder.string()) && holds_only_arrays(folder, kCorpusName);
}

// Whether an unfinished folder has shards that a later run can keep.
bool has_finished_shards(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (is_shard_name(entry.path().filename().string())) return true;
  }
  return false;
}

// An output folder is replaced as a whole, so nothing but our own files may stand in it.
Status check_folder(const fs::path& target) {
  std::error_code error;
  if (fs::is_empty(target, error) || is_our_corpus(target)) return {};
  const Result<Manifest> manifest = read_manifest(target.string());
  if (!manifest) return stays(target, "is not a folder that packscope wrote", "Remove it,");
  for (fs::directory_iterator entry(target, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool ours = is_ours(*manifest, name) && fs::is_regular_file(entry->symlink_status());
    if (!ours && !is_our_shard(*manifest, *entry)) {
      return stays(target, concat("holds ", name, ", which its manifest does not list"), "Move that file,");
    }
  }
  if (error) return refused("cannot read", target, error);
  return {};
}

// Whether `path` is `folder` or lies anywhere in it.
bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(path, error);
  return std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first == folder.end();
}

Status check_target(const fs::path& target, PendingOutput::Kind kind, std::span<const std::string> inputs,
                    Replace replace) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) return {};
  for (const std::string& input : inputs) {
    if (input == "-") continue;
    if (fs::equivalent(target, input, error)) {
      return bad_usage(target.string(), " is an input of this run; write elsewhere with -o");
    }
    if (lies_in(input, target)) {
      return bad_usage(target.string(), " holds ", input, ", an input of this run; write elsewhere with -o");
    }
  }
  if (kind == PendingOutput::Kind::folder) {
    if (fs::is_directory(status)) return check_folder(target);
    return stays(target, "is not a folder", "Remove it,");
  }
  if (!fs::is_regular_file(status)) return stays(target, "is not a file", "Remove it,");
  if (replace == Replace::any_file) return {};
  return bad_usage(target.string(), " exists; --force replaces it, or write elsewhere with -o");
}

// The place itself, where `target` is a link or ends in a slash.
Result<fs::path> resolve(const std::string& target) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(fs::absolute(target, error), error);
  if (error) return refused("cannot write", target, error);
  if (!place.has_filename()) place = place.parent_path();
  if (!fs::is_directory(place.parent_path(), error)) {
    return bad_usage("cannot write ", target, ": there is no folder ", place.parent_path().string());
  }
  return place;
}

std::string pending_prefix(const fs::path& target) {
  return concat(".", target.filename().string(), ".packscope-");
}

constexpr std::string_view kOldSuffix = "-old";

// What runs that were killed left beside the target goes, except for an old output that had stepped aside and
// whose place is still empty: that comes back. One to be resumed moves to `resumed`, which does not exist
// yet.
void clean_up(const fs::path& target, Unfinished unfinished, const fs::path& resumed) {
  const std::string prefix = pending_prefix(target);
  std::error_code error;
  std::vector<fs::path> dead;
  const bool is_free = !fs::exists(fs::symlink_status(target, error));
  for (fs::directory_iterator entry(target.parent_path(), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    pid_t process = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, wrong] = std::from_chars(name.data() + prefix.size(), end, process);
    const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
    if (wrong != std::errc() || process <= 0 || (!suffix.empty() && suffix != kOldSuffix)) continue;
    if (kill(process, 0) != 0 && errno == ESRCH) dead.push_back(entry->path());
  }
  for (const fs::path& path : dead) {
    const bool is_old = path.string().ends_with(kOldSuffix);
    if (is_old && is_free) fs::rename(path, target, error);
    const bool resumes = unfinished == Unfinished::resume && !is_old && !fs::exists(resumed, error);
    if (resumes && has_finished_shards(path)) fs::rename(path, resumed, error);
    fs::remove_all(path, error);  // nothing there any more if it came back
  }
}

// In one step, or not at all where the file system cannot.
bool exchange(const fs::path& one, const fs::path& other) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
#else
  return false;
#endif
}

// Beside the target, so that moving it there is one step on one file system.
fs::path pending_path(const fs::path& target) {
  return target.parent_path() / concat(pending_prefix(target), getpid());
}

}  // namespace

Status check_output(const std::string& target, PendingOutput::Kind kind, std::span<const std::string> inputs,
                    Replace replace) {
  Result<fs::path> place = resolve(target);
  if (!place) return place.error();
  return check_target(*place, kind, inputs, replace);
}

Result<PendingOutput> PendingOutput::create(const std::string& target, Kind kind,
                                            std::span<const std::string> inputs, Replace replace,
                                            Unfinished unfinished) {
  Result<fs::path> place = resolve(target);
  if (!place) return place.error();
  fs::path pending = pending_path(*place);
  std::error_code error;
  fs::remove_all(pending, error);  // of a process that had our number
  clean_up(*place, unfinished, pending);
  if (Status allowed = check_target(*place, kind, inputs, replace); !allowed) return allowed.error();
  const std::scoped_lock lock(uncommitted().mutex);
  if (kind == Kind::folder && !fs::is_directory(pending, error) && !fs::create_directory(pending, error)) {
    return refused("cannot write beside", *place, error);
  }
  uncommitted().path = pending;
  return PendingOutput(*std::move(place), std::move(pending));
}

PendingOutput::PendingOutput(PendingOutput&& other) noexcept
    : target_(std::move(other.target_)), pending_(std::exchange(other.pending_, {})) {}

PendingOutput::~PendingOutput() {
  if (pending_.empty()) return;
  const std::scoped_lock lock(uncommitted().mutex);
  std::error_code ignored;
  if (has_finished_shards(pending_)) {
    uncommitted().kept = pending_;
  } else {
    fs::remove_all(pending_, ignored);
  }
  uncommitted().path.clear();
}

std::string kept_output() {
  const std::scoped_lock lock(uncommitted().mutex);
  return uncommitted().kept.string();
}

std::string abandon_pending_output() {
  uncommitted().mutex.lock();  // and never unlocked: whoever waits for it may not go on
  const fs::path& path = uncommitted().path;
  if (!path.empty() && has_finished_shards(path)) return path.string();
  std::error_code error;
  // The writer may add a file while the folder is emptied.
  for (int attempt = 0; attempt < 100 && !path.empty() && fs::exists(path, error); ++attempt) {
    fs::remove_all(path, error);
  }
  return {};
}

Status PendingOutput::commit() {
  if (Status durable = make_durable(pending_); !durable) return durable;
  if (Status moved = move_to_target(); !moved) return moved;
  return make_durable_name(target_);
}

Status PendingOutput::move_to_target() {
  const std::scoped_lock lock(uncommitted().mutex);
  std::error_code error;
  // A folder cannot be renamed onto one that is not empty, but most file systems can exchange the two.
  if (fs::is_directory(target_, error) && exchange(pending_, target_)) {
    fs::remove_all(pending_, error);
    pending_.clear();
    uncommitted().path.clear();
    return {};
  }
  // Elsewhere the old output steps aside first. It comes back should the new one be refused, or with the next
  // run should this one be killed in between.
  fs::path old;
  if (fs::is_directory(target_, error)) {
    old = pending_.string() + std::string(kOldSuffix);
    fs::rename(target_, old, error);
    if (error) return refused("cannot replace", target_, error);
  }
  fs::rename(pending_, target_, error);
  if (error) {
    std::error_code ignored;
    if (!old.empty()) fs::rename(old, target_, ignored);
    return refused("cannot write", target_, error);
  }
  pending_.clear();
  uncommitted().path.clear();
  if (!old.empty()) fs::remove_all(old, error);
  return {};
}

}  // namespace packscope::native
