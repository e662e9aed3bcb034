// SPDX-License-Identifier: MIT
// Reads the shared test vectors (tests/vectors/README.md) and turns one into corpus and options.
#pragma once

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "packscope/corpus.hpp"
#include "packscope/masks.hpp"
#include "packscope/options.hpp"

namespace packscope_tests {

using json = nlohmann::json;

inline std::vector<json> read_vectors(const std::string& path) {
  std::vector<json> vectors;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) vectors.push_back(json::parse(line));
  }
  return vectors;
}

// What a vector puts in, owned, with the views the core takes. A key it does not know is kept for the
// test to fail on.
struct VectorInput {
  explicit VectorInput(const json& vector) {
    for (const auto& [key, value] : vector.items()) read_key(key, value);
    if (source_names.empty()) sources.clear();
    for (const auto& [key, value] : vector.at("options").items()) read_option(key, value);
    find_masks();
  }
  VectorInput(const VectorInput&) = delete;
  VectorInput& operator=(const VectorInput&) = delete;

  [[nodiscard]] packscope::Corpus corpus() const {
    packscope::Corpus corpus;
    corpus.tokens = tokens;
    corpus.document_offsets = document_offsets;
    corpus.loss_mask = loss_mask;
    corpus.prompt_lengths = prompt_lengths;
    corpus.fields = field_views;
    corpus.sources = sources;
    corpus.source_names = source_names;
    return corpus;
  }
  [[nodiscard]] packscope::Documents documents() const {
    return {lengths, sources, source_names, duplicates};
  }

  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> document_offsets{0};
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint8_t> loss_mask;
  std::vector<std::uint32_t> prompt_lengths;
  std::vector<std::uint32_t> prefix_lengths;
  std::vector<std::uint32_t> sources;
  std::vector<std::string> source_names;
  std::vector<std::uint8_t> duplicates;
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> fields;
  std::vector<packscope::FieldView> field_views;
  packscope::Options options;
  packscope::MaskOptions masks;
  bool documents_are_segments = false;
  std::vector<std::string> problems;  // unknown keys, options that were refused

 private:
  void read_key(const std::string& key, const json& value) {
    if (key == "documents") {
      read_documents(value);
    } else if (key == "sources") {
      for (const json& name : value) sources.push_back(source_number(name.get<std::string>()));
    } else if (key == "prompt_lengths") {
      prompt_lengths = value.get<std::vector<std::uint32_t>>();
    } else if (key == "loss_mask") {
      loss_mask = concatenated<std::uint8_t>(value);
    } else if (key == "fields") {
      read_fields(value);
    } else if (key != "id" && key != "reported_as" && key != "options" && key != "expect" && key != "note") {
      problems.push_back("unknown key " + key);
    }
  }

  void read_documents(const json& value) {
    for (const json& document : value) {
      for (const json& token : document) tokens.push_back(token.get<std::int32_t>());
      document_offsets.push_back(tokens.size());
      lengths.push_back(static_cast<std::uint32_t>(document.size()));
    }
  }

  void read_fields(const json& value) {
    for (const auto& [name, lists] : value.items()) {
      fields.emplace_back(name, concatenated<std::int32_t>(lists));
    }
    for (const auto& [name, values] : fields) {
      field_views.push_back({name, packscope::DType::int32, std::as_bytes(std::span(values))});
    }
  }

  template <class T>
  static std::vector<T> concatenated(const json& lists) {
    std::vector<T> out;
    for (const json& list : lists) {
      for (const json& value : list) out.push_back(value.get<T>());
    }
    return out;
  }

  std::uint32_t source_number(const std::string& name) {
    for (std::uint32_t i = 0; i < source_names.size(); ++i) {
      if (source_names[i] == name) return i;
    }
    source_names.push_back(name);
    return static_cast<std::uint32_t>(source_names.size() - 1);
  }

  void read_option(const std::string& name, const json& value) {
    if (is_mask_option(name)) {
      if (auto set = packscope::set_mask_option(masks, name, option_text(value)); !set) {
        problems.push_back(set.error().message);
      }
    } else if (name == "prefix_lengths") {
      prefix_lengths = value.get<std::vector<std::uint32_t>>();
    } else if (name == "view") {
      documents_are_segments = value == "segments";
    } else if (auto set = packscope::set_option(options, name, option_text(value)); !set) {
      problems.push_back(set.error().message);
    }
  }

  static bool is_mask_option(const std::string& name) {
    for (const packscope::OptionInfo& info : packscope::mask_option_table()) {
      if (info.name == name) return true;
    }
    return false;
  }

  static std::string option_text(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_object()) return value.dump();
    std::string groups;  // {"chat": ["a", "b"]} is written chat=a,b
    for (const auto& [name, members] : value.items()) {
      groups += (groups.empty() ? "" : ";") + name + "=";
      for (std::size_t i = 0; i < members.size(); ++i) {
        groups += (i == 0 ? "" : ",") + members[i].get<std::string>();
      }
    }
    return groups;
  }

  // Prefix tokens are no targets, so a prefix is also a prompt.
  void find_masks() {
    masks.prefix_lengths = prefix_lengths;
    if (prompt_lengths.empty()) prompt_lengths = prefix_lengths;
    if (options.drop_duplicates) duplicates = packscope::find_duplicates(corpus());
  }
};

}  // namespace packscope_tests
