// SPDX-License-Identifier: MIT
// A folder whose files are written by the fuzzer, or changed and put back.
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "fuzz_input.hpp"

namespace packscope_fuzz {

class FuzzedFolder {
 public:
  FuzzedFolder() {
    std::string name = std::filesystem::temp_directory_path() / "packscope-fuzz-XXXXXX";
    expect(mkdtemp(name.data()) != nullptr, "a folder can be made", name);
    path_ = name;
  }
  FuzzedFolder(const FuzzedFolder&) = delete;
  ~FuzzedFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string path() const { return path_; }

  // Writes a file of the folder.
  void store(const std::string& name, const std::string& bytes) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    expect(file.good(), "a file of the folder can be written");
  }

  // Call when the sound files stand in the folder. Those of `first` that there are get most of the changes:
  // they are read before the others.
  void remember(const std::vector<std::string>& first) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string name = entry.path().lexically_relative(path_);
      files_[name] = std::string(std::istreambuf_iterator<char>(file), {});
    }
    for (const std::string& name : first) {
      if (files_.count(name) > 0) first_.push_back(name);
    }
  }

  // Calls use() with some files changed.
  template <class Use>
  void with_changes(FuzzedDataProvider& data, const Use& use) {
    std::vector<std::string> changed;
    do {
      changed.push_back(change(data));
    } while (data.ConsumeBool());
    use();
    for (const std::string& name : changed) store(name, files_.at(name));
  }

 private:
  std::string change(FuzzedDataProvider& data) {
    auto file = files_.begin();
    if (data.ConsumeIntegralInRange(0, 3) == 0) {
      std::advance(file, data.ConsumeIntegralInRange<std::size_t>(0, files_.size() - 1));
    } else {
      file = files_.find(first_[data.ConsumeIntegralInRange<std::size_t>(0, first_.size() - 1)]);
    }
    std::string bytes = file->second;
    for (int edits = data.ConsumeIntegralInRange(1, 4); edits > 0; --edits) edit(data, bytes);
    store(file->first, bytes);
    return file->first;
  }

  static void edit(FuzzedDataProvider& data, std::string& bytes) {
    const std::size_t at = data.ConsumeIntegralInRange<std::size_t>(0, bytes.size());
    switch (data.ConsumeIntegralInRange(0, 3)) {
      case 0:
        if (at < bytes.size()) bytes[at] = data.ConsumeIntegral<char>();
        break;
      case 1:
        bytes.insert(at, data.ConsumeRandomLengthString(40));
        break;
      case 2:
        bytes.erase(at, data.ConsumeIntegralInRange<std::size_t>(1, 40));
        break;
      default:
        overwrite(data, bytes);
    }
  }

  // A whole 32-bit value from the end, where the values of an array stand.
  static void overwrite(FuzzedDataProvider& data, std::string& bytes) {
    const std::uint32_t value =
        data.ConsumeBool() ? data.ConsumeIntegralInRange(0u, 40u) : data.ConsumeIntegral<std::uint32_t>();
    const std::size_t from_end = sizeof value * data.ConsumeIntegralInRange<std::size_t>(1, 16);
    if (from_end > bytes.size()) return;
    std::memcpy(bytes.data() + bytes.size() - from_end, &value, sizeof value);
  }

  std::filesystem::path path_;
  std::map<std::string, std::string> files_;
  std::vector<std::string> first_;
};

}  // namespace packscope_fuzz
