// SPDX-License-Identifier: MIT
// The table of the options of packing, and which values and combinations are allowed.
#include "packscope/options.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "option_rows.hpp"
#include "packscope/algorithms.hpp"
#include "text.hpp"

namespace packscope {
namespace {

constexpr Choices kLongDocuments = "drop|truncate|truncate_left|split|error";

std::optional<std::string> set_long_documents(Options& options, std::string_view text) {
  const auto value = parse_choice<LongDocuments>(kLongDocuments.view(), text);
  if (!value && text != "default") return concat("'default' or one of ", kLongDocuments.view());
  options.long_documents = value;
  return std::nullopt;
}

std::string get_long_documents(const Options& options) {
  if (!options.long_documents) return "default";
  return choice_text(kLongDocuments.view(), *options.long_documents);
}

std::optional<std::string> set_algorithm(Options& options, std::string_view text) {
  std::string names;
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.name == text) {
      options.algorithm = info.algorithm;
      return std::nullopt;
    }
    names += concat(names.empty() ? "" : ", ", info.name);
  }
  return concat("one of ", names);
}

std::string get_algorithm(const Options& options) {
  return std::string(algorithm_info(options.algorithm).name);
}

// Takes what stands before `mark` off the front of `text`.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t end = text.find(mark);
  const std::string_view taken = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return taken;
}

std::optional<std::string> set_groups(Options& options, std::string_view text) {
  std::vector<Group> groups;
  while (!text.empty()) {
    std::string_view part = take_until(text, ';');
    if (part.find('=') == std::string_view::npos) return "groups written name=source,source;name=source";
    Group group{std::string(take_until(part, '=')), {}};
    while (!part.empty()) group.sources.emplace_back(take_until(part, ','));
    groups.push_back(std::move(group));
  }
  options.groups = std::move(groups);
  return std::nullopt;
}

// An empty last source, which check_options refuses, is written as it was read: with a comma behind it.
std::string get_groups(const Options& options) {
  std::string text;
  for (const Group& group : options.groups) {
    text += concat(text.empty() ? "" : ";", group.name, "=");
    for (std::size_t i = 0; i < group.sources.size(); ++i) {
      text += concat(i == 0 ? "" : ",", group.sources[i]);
    }
    if (!group.sources.empty() && group.sources.back().empty()) text += ",";
  }
  return text;
}

constexpr bool kPlans = true;
constexpr bool kArrays = false;

constexpr OptionRow<Options> kRows[] = {
    number<&Options::context_length, 1, kMaxContextLength>(
        {"context_length", "Tokens in a window, at least 1.", kPlans}),
    {{"algorithm", "NAME", "How documents are placed in windows; `packscope algorithms` explains each.",
      kPlans},
     set_algorithm,
     get_algorithm},
    number_or_unlimited<&Options::open_windows>(
        {"open_windows", "Partly filled windows kept open by first_fit, best_fit and worst_fit.", kPlans}),
    number<&Options::candidate_pool, 1>(
        {"candidate_pool", "Documents that best_fit_wrap chooses among.", kPlans}),
    choice<&Options::evict, "oldest|fullest">(
        {"evict", "Which open window closes when a new one is needed and open_windows are open.", kPlans}),
    number<&Options::min_room, 1>(
        {"min_room", "A window with less room than this closes; not read by pad, wrap and best_fit_wrap.",
         kPlans}),
    number<&Options::seed>({"seed", "Decides every shuffle.", kPlans}),
    {{"long_documents", "default|drop|truncate|truncate_left|split|error",
      "Documents longer than the window: default is split for wrap and best_fit_wrap, else drop (counted). "
      "truncate keeps the start, truncate_left the end.",
      kPlans},
     set_long_documents,
     get_long_documents},
    choice<&Options::tail, "pad|drop">(
        {"tail", "The last short window of wrap: padded, or dropped with a count.", kPlans}),
    number<&Options::document_multiple, 1>(
        {"document_multiple",
         "Each segment takes a multiple of this many positions; context_length must be one.", kPlans}),
    number<&Options::window_multiple, 1, kMaxWindowMultiple>(
        {"window_multiple", "Windows of padding are added until their count is a multiple of this.", kPlans}),
    number_or_unlimited<&Options::max_documents_per_window>(
        {"max_documents_per_window", "A window that holds this many closes.", kPlans}),
    flag<&Options::shuffle_documents>(
        {"shuffle_documents", "Shuffle the documents by seed before packing.", kPlans}),
    flag<&Options::shuffle_windows>(
        {"shuffle_windows", "Shuffle the windows by seed after packing.", kPlans}),
    choice<&Options::homogeneity, "none|group|full">(
        {"homogeneity", "Which sources may share a window: all, those of one group, or only the same.",
         kPlans}),
    {{"groups", "NAME=SOURCE,..;..", "The groups of homogeneity=group: chat=alpaca,oasst;code=stack.",
      kPlans},
     set_groups,
     get_groups},
    optional_number<&Options::flush_every, 1>(
        {"flush_every", "Empty every open window after this many documents read.", kPlans}),
    flag<&Options::drop_duplicates>(
        {"drop_duplicates", "Drop documents whose tokens repeat an earlier one's, with a count.", kPlans}),
    flag<&Options::extra_token>(
        {"extra_token", "Store context_length + 1 tokens a window: inputs [:-1], labels [1:].", kPlans}),
    optional_number<&Options::bos_id, 0>({"bos_id", "Token id added before each document.", kPlans}),
    optional_number<&Options::separator_id, 0>(
        {"separator_id", "Token id added after or between documents.", kPlans}),
    choice<&Options::separator, "after|between">(
        {"separator", "after: each document ends with separator_id; between: not the last of a window.",
         kPlans}),
    number<&Options::pad_token_id>({"pad_token_id", "Token id that fills padding.", kArrays}),
    flag<&Options::separator_loss>(
        {"separator_loss", "Make the separator (and BOS) a training target.", kArrays}),
    choice<&Options::position_ids, "restart|continue">(
        {"position_ids", "restart at 0 in each segment, or continue at the offset inside the document.",
         kArrays}),
    choice<&Options::padding_position_ids, "count|zeros">(
        {"padding_position_ids", "Positions of the padding tail: a run of its own from 0, or zeros.",
         kArrays}),
    choice<&Options::cu_seqlens, "window|real">(
        {"cu_seqlens", "Up to context_length with the padding tail as last entry, or real tokens only.",
         kArrays}),
    optional_number<&Options::cu_seqlens_width, 2>(
        {"cu_seqlens_width", "Entries of cu_seqlens in each window, the total repeated.", kArrays}),
    choice<&Options::labels, "shifted|aligned">(
        {"labels",
         "shifted: label[t] is token[t+1]; aligned: label[t] is token[t] and the model shifts "
         "(Hugging Face).",
         kArrays}),
    flag<&Options::cross_boundary_labels>(
        {"cross_boundary_labels", "Also train the first token of a segment from the segment before it.",
         kArrays}),
    optional_number<&Options::vocab_size, 1>(
        {"vocab_size", "A token id that is not below this is an error.", kArrays}),
};

constexpr auto kInfos = infos_of(kRows);

Status check_at_least_one(const Options& options) {
  const std::pair<std::string_view, std::uint64_t> values[] = {
      {"context_length", options.context_length},
      {"open_windows", options.open_windows},
      {"candidate_pool", options.candidate_pool},
      {"min_room", options.min_room},
      {"document_multiple", options.document_multiple},
      {"window_multiple", options.window_multiple},
      {"max_documents_per_window", options.max_documents_per_window},
      {"flush_every", options.flush_every.value_or(1)},
      {"vocab_size", options.vocab_size.value_or(1)},
  };
  for (const auto& [name, value] : values) {
    if (value == 0) return invalid_option(name, " is 0; it must be at least 1");
  }
  return {};
}

Status check_added_token(const Options& options, std::string_view name, std::optional<std::int32_t> id) {
  if (!id) return {};
  if (*id < 0) return invalid_option(name, " is ", *id, "; token ids are 0 or more");
  if (options.vocab_size && static_cast<std::uint32_t>(*id) >= *options.vocab_size) {
    return invalid_option(name, " is ", *id, ", not below vocab_size ", *options.vocab_size);
  }
  return {};
}

Status check_separators(const Options& options) {
  if (auto status = check_added_token(options, "separator_id", options.separator_id); !status) return status;
  if (auto status = check_added_token(options, "bos_id", options.bos_id); !status) return status;
  const bool after = options.separator_id && options.separator == Separator::after;
  const std::uint32_t added = (after ? 1u : 0u) + (options.bos_id ? 1u : 0u);
  if (options.context_length + (options.extra_token ? 1 : 0) <= added) {
    return invalid_option("context_length ", options.context_length, " leaves no room for a token beside ",
                          options.bos_id ? "bos_id" : "", options.bos_id && after ? " and " : "",
                          after ? "separator_id" : "", "; use a longer window");
  }
  return {};
}

Status check_document_multiple(const Options& options) {
  const std::uint32_t multiple = options.document_multiple;
  if (multiple == 1) return {};
  if (options.context_length % multiple != 0) {
    return invalid_option("context_length ", options.context_length,
                          " is not a multiple of document_multiple ", multiple);
  }
  if (options.extra_token) {
    return invalid_option("document_multiple ", multiple,
                          " cannot go with extra_token: windows of context_length + 1 are no multiple of it");
  }
  if (options.separator_id && options.separator == Separator::between) {
    return invalid_option("document_multiple ", multiple,
                          " cannot go with separator=between; use separator=after");
  }
  return {};
}

Status check_cu_seqlens_width(const Options& options) {
  if (!options.cu_seqlens_width) return {};
  const std::uint64_t width = *options.cu_seqlens_width;
  if (width < 2) return invalid_option("cu_seqlens_width is ", width, "; it must be at least 2");
  // More than any window can fill, so that one width can serve several window lengths.
  const std::uint64_t widest = std::max<std::uint64_t>(1024, std::uint64_t{options.context_length} + 2);
  if (width <= widest) return {};
  return invalid_option("cu_seqlens_width ", width, " is far more than a window of ", options.context_length,
                        " tokens can fill; the limit is ", widest,
                        " (1024, or context_length + 2 where that is more)");
}

Status check_groups(const Options& options) {
  const bool grouped = options.homogeneity == Homogeneity::group;
  if (grouped && options.groups.empty()) {
    return invalid_option("homogeneity=group needs groups, such as chat=alpaca,oasst;code=stack");
  }
  if (!grouped && !options.groups.empty()) {
    return invalid_option(
        "groups are given but homogeneity is not group; set homogeneity=group or leave them out");
  }
  std::vector<std::string_view> seen;
  for (const Group& group : options.groups) {
    if (group.name.empty() || group.sources.empty()) {
      return invalid_option("groups: group '", group.name, "' needs a name and at least one source");
    }
    for (const std::string& source : group.sources) {
      if (source.empty() || source.find_first_of(",;=") != std::string::npos) {
        return invalid_option("groups: '", source, "' in group '", group.name,
                              "' cannot be a source's name: it is empty or has one of , ; =");
      }
      for (const std::string_view other : seen) {
        if (other == source) return invalid_option("groups: source '", source, "' stands in two groups");
      }
      seen.push_back(source);
    }
  }
  return {};
}

}  // namespace

LongDocuments long_documents_rule(const Options& options) {
  if (options.long_documents) return *options.long_documents;
  return algorithm_info(options.algorithm).splits ? LongDocuments::split : LongDocuments::drop;
}

Status check_options(const Options& options) {
  if (auto status = check_at_least_one(options); !status) return status;
  if (options.context_length > kMaxContextLength) {
    return invalid_option("context_length ", options.context_length, " is above the limit of ",
                          kMaxContextLength);
  }
  if (options.window_multiple > kMaxWindowMultiple) {
    return invalid_option("window_multiple ", options.window_multiple, " is above the limit of ",
                          kMaxWindowMultiple);
  }
  if (options.min_room > options.context_length) {
    return invalid_option("min_room ", options.min_room, " is above context_length ", options.context_length);
  }
  if (options.labels == Labels::aligned && options.extra_token) {
    return invalid_option(
        "labels=aligned cannot go with extra_token, whose labels are inputs shifted by one; use "
        "labels=shifted");
  }
  if (auto status = check_cu_seqlens_width(options); !status) return status;
  if (auto status = check_separators(options); !status) return status;
  if (auto status = check_document_multiple(options); !status) return status;
  return check_groups(options);
}

std::span<const OptionInfo> option_table() { return kInfos; }

Status set_option(Options& options, std::string_view name, std::string_view value) {
  return set_by_name(kRows, options, name, value);
}

std::string get_option(const Options& options, std::string_view name) {
  return get_by_name(kRows, options, name);
}

}  // namespace packscope
