// SPDX-License-Identifier: MIT
#include "pending_output.hpp"

#include <simdjson.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "line_reader.hpp"
#include "manifest.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

Error refused(std::string_view what, const fs::path& path, const std::error_code& error) {
  return {ErrorCode::io_error, join_parts(what, " ", path.string(), ": ", error.message())};
}

bool is_our_folder(const fs::path& path) {
  std::error_code error;
  if (fs::is_empty(path, error)) return true;
  return read_manifest(path.string()).has_value();
}

// Windows that we write as JSON lines have `segments` or `packed_samples`, which inputs do not.
bool is_our_file(const fs::path& path) {
  std::error_code error;
  if (fs::file_size(path, error) == 0) return true;
  Result<ByteSource> source = ByteSource::open(path.string());
  if (!source) return false;
  Repairs repairs;
  LineReader lines(std::move(*source), repairs, {});
  Result<std::optional<std::string_view>> line = lines.next();
  if (!line || !*line) return false;
  simdjson::dom::parser parser;
  simdjson::dom::object window;
  if (parser.parse((*line)->data(), (*line)->size(), false).get(window) != simdjson::SUCCESS) return false;
  simdjson::dom::array list;
  return window["segments"].get(list) == simdjson::SUCCESS ||
         window["packed_samples"].get(list) == simdjson::SUCCESS;
}

Status check_target(const fs::path& target, PendingOutput::Kind kind, std::span<const std::string> inputs) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) return {};
  for (const std::string& input : inputs) {
    if (input != "-" && fs::equivalent(target, input, error)) {
      return bad_usage(target.string(), " is an input of this run; write elsewhere with -o");
    }
  }
  const bool folder = kind == PendingOutput::Kind::folder;
  const bool ours = folder ? fs::is_directory(status) && is_our_folder(target)
                           : fs::is_regular_file(status) && is_our_file(target);
  if (ours) return {};
  return bad_usage(target.string(), " exists and is not ", folder ? "a folder" : "a file",
                   " that packscope wrote; it stays as it is. Remove it, or write elsewhere with -o");
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

// Beside the target, so that moving it there is one step on one file system.
fs::path pending_path(const fs::path& target) {
  const std::string name = join_parts(".", target.filename().string(), ".packscope-", getpid());
  return target.parent_path() / name;
}

}  // namespace

Status check_output(const std::string& target, PendingOutput::Kind kind,
                    std::span<const std::string> inputs) {
  Result<fs::path> place = resolve(target);
  if (!place) return place.error();
  return check_target(*place, kind, inputs);
}

Result<PendingOutput> PendingOutput::create(const std::string& target, Kind kind,
                                            std::span<const std::string> inputs) {
  Result<fs::path> place = resolve(target);
  if (!place) return place.error();
  if (Status allowed = check_target(*place, kind, inputs); !allowed) return allowed.error();
  fs::path pending = pending_path(*place);
  std::error_code error;
  fs::remove_all(pending, error);
  if (kind == Kind::folder && !fs::create_directory(pending, error)) {
    return refused("cannot write beside", *place, error);
  }
  return PendingOutput(*std::move(place), std::move(pending));
}

PendingOutput::PendingOutput(PendingOutput&& other) noexcept
    : target_(std::move(other.target_)), pending_(std::exchange(other.pending_, {})) {}

PendingOutput::~PendingOutput() {
  std::error_code ignored;
  if (!pending_.empty()) fs::remove_all(pending_, ignored);
}

Status PendingOutput::commit() {
  std::error_code error;
  // A folder cannot be renamed onto one that is not empty: the old output steps aside first and comes
  // back should the new one be refused.
  fs::path old;
  if (fs::is_directory(target_, error)) {
    old = pending_.string() + "-old";
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
  if (!old.empty()) fs::remove_all(old, error);
  return {};
}

}  // namespace packscope::native
