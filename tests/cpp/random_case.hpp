// SPDX-License-Identifier: MIT
// Random inputs for property tests: documents of every awkward length under random options, a text that
// reproduces them, and a search for a smaller input that still fails.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "packscope/corpus.hpp"
#include "packscope/options.hpp"
#include "packscope/random.hpp"

namespace packscope_tests {

struct RandomCase {
  packscope::Options options;
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> sources;
  std::vector<std::string> source_names;
  std::vector<std::uint8_t> duplicates;

  [[nodiscard]] packscope::Documents documents() const {
    return {lengths, sources, source_names, duplicates};
  }
};

class CaseMaker {
 public:
  explicit CaseMaker(std::uint64_t seed) : random_(seed) {}

  RandomCase make(packscope::Algorithm algorithm, std::uint32_t context_length) {
    RandomCase made;
    made.options.algorithm = algorithm;
    made.options.context_length = context_length;
    choose_algorithm_options(made.options);
    choose_window_options(made.options);
    choose_separators(made.options);
    choose_document_multiple(made.options);
    choose_documents(made);
    choose_sources(made);
    return made;
  }

  // Uniform in [first, last].
  std::uint32_t number(std::uint32_t first, std::uint32_t last) {
    return first + static_cast<std::uint32_t>(random_.below(std::uint64_t{last} - first + 1));
  }
  bool one_in(std::uint32_t n) { return random_.below(n) == 0; }

 private:
  void choose_algorithm_options(packscope::Options& options) {
    options.open_windows = one_in(4) ? packscope::kUnlimited : number(1, 5);
    options.candidate_pool = one_in(2) ? number(1, 2) : number(1, 20);
    options.evict = one_in(2) ? packscope::Evict::oldest : packscope::Evict::fullest;
    options.seed = random_.next();
    if (one_in(3)) options.tail = packscope::Tail::drop;
    if (one_in(3)) options.min_room = number(1, std::min(4u, options.context_length));
    if (one_in(9)) options.min_room = number(1, options.context_length);
    if (one_in(5)) options.max_documents_per_window = number(1, 4);
    if (one_in(2)) options.long_documents = static_cast<packscope::LongDocuments>(number(0, 3));
    if (one_in(20)) options.long_documents = packscope::LongDocuments::error;
  }

  void choose_window_options(packscope::Options& options) {
    if (one_in(4)) options.flush_every = number(1, 12);
    if (one_in(5)) options.window_multiple = number(1, 5);
    if (one_in(5)) options.extra_token = true;
    if (one_in(6)) options.shuffle_documents = true;
    if (one_in(6)) options.shuffle_windows = true;
    if (one_in(6)) options.drop_duplicates = true;
  }

  // Only what leaves room for a token.
  void choose_separators(packscope::Options& options) {
    std::uint32_t room = options.context_length + (options.extra_token ? 1 : 0) - 1;
    if (one_in(4)) {
      options.separator_id = 1;
      options.separator = packscope::Separator::between;
    } else if (one_in(3) && room > 0) {
      options.separator_id = 1;
      --room;
    }
    if (one_in(4) && room > 0) options.bos_id = 2;
  }

  void choose_document_multiple(packscope::Options& options) {
    const bool between = options.separator_id && options.separator == packscope::Separator::between;
    if (between || options.extra_token || !one_in(4)) return;
    do {
      options.document_multiple = number(1, options.context_length);
    } while (options.context_length % options.document_multiple != 0);
  }

  // Around every length where a rule changes its mind, or anything, or many small ones.
  void choose_documents(RandomCase& made) {
    const std::uint32_t n = made.options.context_length;
    const std::uint32_t edges[] = {0, 1, 2, n / 2, n / 2 + 1, n - 1, n, n + 1, 2 * n, 2 * n + 1};
    const std::uint32_t style = number(0, 2);
    const std::uint32_t count = one_in(20) ? number(0, 2) : number(1, 40);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t length = edges[number(0, 9)];
      if (style == 1 && !one_in(4)) length = number(0, n + 1);
      if (style == 2 && !one_in(8)) length = number(1, n / 4 + 1);
      made.lengths.push_back(length);
      if (made.options.drop_duplicates) made.duplicates.push_back(length > 0 && i > 0 && one_in(4));
    }
  }

  void choose_sources(RandomCase& made) {
    if (!one_in(3)) return;
    made.source_names = {"books", "code", "talk"};
    for (std::size_t i = 0; i < made.lengths.size(); ++i) made.sources.push_back(number(0, 2));
    made.options.homogeneity = static_cast<packscope::Homogeneity>(number(0, 2));
    if (made.options.homogeneity != packscope::Homogeneity::group) return;
    made.options.groups = {{"prose", {"talk", "books"}}, {"rest", {"code", "unused"}}};
  }

  packscope::Random random_;
};

inline std::string describe(const RandomCase& failing) {
  const packscope::Options defaults;
  std::string text;
  for (const packscope::OptionInfo& row : packscope::option_table()) {
    const std::string value = packscope::get_option(failing.options, row.name);
    if (value != packscope::get_option(defaults, row.name)) text += std::string(row.name) + "=" + value + " ";
  }
  text += "\nlengths:";
  for (const std::uint32_t length : failing.lengths) text += " " + std::to_string(length);
  if (!failing.sources.empty()) text += "\nsources:";
  for (const std::uint32_t source : failing.sources) text += " " + std::to_string(source);
  if (!failing.duplicates.empty()) text += "\nduplicates:";
  for (const std::uint8_t duplicate : failing.duplicates) text += duplicate ? " 1" : " 0";
  return text + "\n";
}

// Takes away documents and options, one at a time, for as long as `fails` holds.
inline RandomCase shrink(RandomCase failing, const std::function<bool(const RandomCase&)>& fails) {
  const auto try_instead = [&](RandomCase smaller) {
    if (!packscope::check_options(smaller.options) || !fails(smaller)) return false;
    failing = std::move(smaller);
    return true;
  };
  const auto erase = [](auto& values, std::size_t index) {
    if (!values.empty()) values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = 0; i < failing.lengths.size(); ++i) {
      RandomCase smaller = failing;
      erase(smaller.lengths, i);
      erase(smaller.sources, i);
      erase(smaller.duplicates, i);
      progress |= try_instead(std::move(smaller));
    }
    for (const packscope::OptionInfo& row : packscope::option_table()) {
      const std::string usual = packscope::get_option(packscope::Options{}, row.name);
      if (row.name == "algorithm" || row.name == "context_length") continue;
      RandomCase smaller = failing;
      if (packscope::get_option(smaller.options, row.name) == usual) continue;
      if (!packscope::set_option(smaller.options, row.name, usual)) continue;
      progress |= try_instead(std::move(smaller));
    }
  }
  return failing;
}

}  // namespace packscope_tests
