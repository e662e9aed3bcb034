// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "flags.hpp"
#include "message.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;

// Levenshtein's distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replace, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

Error unknown_flag(const CommandInfo& command, const std::vector<Flag>& flags, std::string_view word) {
  const std::string_view given = word.substr(0, word.find('='));
  std::vector<std::string> names{"--help"};
  for (const Flag& flag : flags) names.push_back("--" + flag.name);
  return bad_usage("packscope ", command.name, " has no flag ", given, did_you_mean(given, names),
                   " See packscope ", command.name, " --help");
}

// A flag that takes the next flag for its value would lose both. `--flag=-value` is always meant.
Status check_values(const std::vector<Flag>& flags, std::span<char* const> words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view word = words[i], next = words[i + 1];
    if (word == "--") return {};
    const auto flag = std::find_if(flags.begin(), flags.end(), [&](const Flag& candidate) {
      const bool is_short = word.size() == 2 && word[0] == '-' && word[1] == candidate.short_name;
      return !candidate.value.empty() && (is_short || word == "--" + candidate.name);
    });
    if (flag == flags.end()) continue;
    ++i;
    const bool is_flag = next.size() > 1 && next[0] == '-' && !(next[1] >= '0' && next[1] <= '9');
    if (!is_flag) continue;
    return bad_usage(word, " needs a value, and ", next, " looks like a flag; if it is the value, write --",
                     flag->name, "=", next, ", or ./", next, " for a file");
  }
  return {};
}

}  // namespace

std::string Arguments::get(std::string_view flag, std::string_view otherwise) const {
  const auto found = values.find(flag);
  return found == values.end() ? std::string(otherwise) : found->second.back();
}

std::vector<std::string> Arguments::list(std::string_view flag) const {
  std::vector<std::string> all;
  const auto found = values.find(flag);
  if (found == values.end()) return all;
  for (const std::string& value : found->second) {
    for (std::string& part : split_list(value, ',')) all.push_back(std::move(part));
  }
  return all;
}

std::vector<std::string> split_list(std::string_view text, char mark) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(mark);
    if (end != 0 && !text.empty()) parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string> candidates) {
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  return nearest ? ". Did you mean " + *nearest + "?" : ".";
}

Result<std::uint64_t> parse_number(std::string_view flag, std::string_view text, std::uint64_t least,
                                   std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && value >= least && value <= most) return value;
  return bad_usage("--", flag, " '", text, "' must be a whole number from ", least, " to ", most);
}

Result<Arguments> parse_arguments(const CommandInfo& command, std::span<char* const> words) {
  const std::vector<Flag> flags = flags_of(command.command);
  if (Status values = check_values(flags, words); !values) return values.error();
  Arguments arguments;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_flag("-h,--help", arguments.help);
  std::map<std::string, std::vector<std::string>> given;
  for (const Flag& flag : flags) {
    std::string names = flag.short_name ? concat("-", std::string_view(&flag.short_name, 1), ",") : "";
    names += "--" + flag.name;
    if (flag.value.empty()) {
      app.add_flag(names, given[flag.name])->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    } else {
      app.add_option(names, given[flag.name])->allow_extra_args(false);
    }
  }
  // CLI11 takes its words from the back.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view said = error.what();
    return bad_usage(said.substr(0, said.find(':')), " needs a value. See packscope ", command.name,
                     " --help");
  } catch (const CLI::ParseError& error) {
    return bad_usage(error.what(), ". See packscope ", command.name, " --help");
  }
  for (const std::string& extra : app.remaining()) {
    if (extra.size() > 1 && extra.front() == '-') return unknown_flag(command, flags, extra);
    arguments.operands.push_back(extra);
  }
  for (const Flag& flag : flags) {
    std::vector<std::string>& values = given[flag.name];
    if (values.empty()) continue;
    if (values.size() > 1 && !flag.repeats)
      return bad_usage("--", flag.name, " is given ", values.size(), " times; give it once");
    // Those of the core read true and false.
    if (flag.value.empty() && flag.option.empty() && values.front() != "true") {
      return bad_usage("--", flag.name, " takes no value, and has '", values.front(),
                       "'; leave the flag out where it is not meant");
    }
    arguments.values[flag.name] = std::move(values);
  }
  return arguments;
}

}  // namespace packscope::cli
