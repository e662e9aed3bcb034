// SPDX-License-Identifier: MIT
#include "input/input_files.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "files/megatron_layout.hpp"
#include "input/corpus_folder.hpp"
#include "input/read_options.hpp"
#include "message.hpp"
#include "output/manifest.hpp"

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::string>> files_in(const std::string& folder) {
  std::error_code error;
  if (fs::exists(fs::path(folder) / kManifestName, error)) {
    return bad_usage(folder, ": is an output folder of packscope pack; name the input that it was made of");
  }
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    const bool hidden = entry->path().filename().string().starts_with('.');
    if (!hidden && (entry->is_regular_file(error) || is_corpus_folder(path))) files.push_back(path);
  }
  if (error) return Error{ErrorCode::io_error, concat("cannot read ", folder, ": ", error.message())};
  if (files.empty()) {
    return bad_usage(folder, ": this folder holds no file; for those in folders below it give a pattern: '",
                     (fs::path(folder) / "*" / "*").string(), "'");
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::vector<std::string>> files_matching(const std::string& pattern) {
  glob_t found{};
  const int status = glob(pattern.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (status == GLOB_NOSPACE || status == GLOB_ABORTED) {
    return Error{ErrorCode::io_error, concat("cannot look for ", pattern, ": a folder cannot be read")};
  }
  std::error_code ignored;
  const auto is_folder = [&](const std::string& path) {
    return fs::is_directory(path, ignored) && !is_corpus_folder(path);
  };
  files.erase(std::remove_if(files.begin(), files.end(), is_folder), files.end());
  if (files.empty()) return bad_usage("no file matches '", pattern, "'; check its folder and its ending");
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::vector<std::string>> files_of(const std::string& input) {
  std::error_code ignored;
  const bool is_pattern = input.find_first_of("*?[") != std::string::npos;
  if (is_corpus_folder(input)) return std::vector<std::string>{input};
  if (input != "-" && fs::is_directory(input, ignored)) return files_in(input);
  if (is_pattern && !fs::exists(input, ignored)) return files_matching(input);
  return std::vector<std::string>{input};
}

// A shell that expands corpus.* gives both files of a pair.
void leave_indexes_alone(std::vector<std::string>& files) {
  const std::set<std::string, std::less<>> all(files.begin(), files.end());
  const auto is_second = [&](const std::string& path) {
    if (!path.ends_with(kTokenFileEnding)) return false;
    const std::string_view stem = std::string_view(path).substr(0, path.size() - kTokenFileEnding.size());
    return all.count(concat(stem, kMegatronIndexEnding)) > 0;
  };
  files.erase(std::remove_if(files.begin(), files.end(), is_second), files.end());
}

}  // namespace

Result<std::vector<std::string>> input_files(const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    Result<std::vector<std::string>> some = files_of(input);
    if (!some) return some;
    files.insert(files.end(), some->begin(), some->end());
  }
  leave_indexes_alone(files);
  return files;
}

}  // namespace packscope::native
