// SPDX-License-Identifier: MIT
// Every option of packing and materializing with its default (the only place defaults exist),
// and the option table from which flags, help, manifests and the JavaScript interface come.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packscope/result.hpp"

namespace packscope {

inline constexpr std::uint32_t kUnlimited = UINT32_MAX;
inline constexpr std::uint32_t kMaxContextLength = 1u << 24;
inline constexpr std::uint32_t kMaxWindowMultiple = 1u << 20;

enum class Algorithm : std::uint8_t {
  pad,
  wrap,
  next_fit,
  first_fit,
  best_fit,
  worst_fit,
  best_fit_wrap,
  first_fit_decreasing,
  best_fit_decreasing,
  first_fit_shuffle,
};
enum class Evict : std::uint8_t { oldest, fullest };
enum class LongDocuments : std::uint8_t { drop, truncate, truncate_left, split, error };
enum class Tail : std::uint8_t { pad, drop };
enum class Separator : std::uint8_t { after, between };
enum class PositionIds : std::uint8_t { restart, continued };  // written "restart", "continue"
enum class PaddingPositionIds : std::uint8_t { count, zeros };
enum class CuSeqlens : std::uint8_t { window, real };
enum class Labels : std::uint8_t { shifted, aligned };
enum class Homogeneity : std::uint8_t { none, group, full };

// Sources that may share a window under homogeneity=group.
struct Group {
  std::string name;
  std::vector<std::string> sources;
  bool operator==(const Group&) const = default;
};

struct Options {
  // Planning.
  std::uint32_t context_length = 2048;
  Algorithm algorithm = Algorithm::best_fit_decreasing;
  std::uint32_t open_windows = 64;
  std::uint32_t candidate_pool = 1024;
  Evict evict = Evict::oldest;
  std::uint32_t min_room = 1;
  std::uint64_t seed = 0;
  std::optional<LongDocuments> long_documents;  // default: split for wrap and best_fit_wrap, else drop
  Tail tail = Tail::pad;
  std::uint32_t document_multiple = 1;
  std::uint32_t window_multiple = 1;
  std::uint32_t max_documents_per_window = kUnlimited;
  bool shuffle_documents = false;
  bool shuffle_windows = false;
  Homogeneity homogeneity = Homogeneity::none;
  std::vector<Group> groups;
  std::optional<std::uint64_t> flush_every;
  bool drop_duplicates = false;
  bool extra_token = false;
  std::optional<std::int32_t> bos_id;
  std::optional<std::int32_t> separator_id;
  Separator separator = Separator::after;

  // Materializing.
  std::int32_t pad_token_id = 0;
  bool separator_loss = false;
  PositionIds position_ids = PositionIds::restart;
  PaddingPositionIds padding_position_ids = PaddingPositionIds::count;
  CuSeqlens cu_seqlens = CuSeqlens::window;
  std::optional<std::uint32_t> cu_seqlens_width;
  Labels labels = Labels::shifted;
  bool cross_boundary_labels = false;
  std::optional<std::uint32_t> vocab_size;

  bool operator==(const Options&) const = default;
};

// The rule for documents longer than the window that is in force: the option, or the algorithm's default.
LongDocuments long_documents_rule(const Options& options);

// Checks every value and combination; the error names the option, the value, the limit and the remedy.
Status check_options(const Options& options);

// One row of the option table. The default is get_option(Options{}, name).
struct OptionInfo {
  std::string_view name;   // "open_windows"; as a flag --open-windows, in JavaScript openWindows
  std::string_view value;  // what to write: "N", "N|unlimited", "oldest|fullest", "true|false"
  std::string_view help;   // meaning, unit and interaction in one sentence
  bool plans;              // true: changes the plan; false: changes only the arrays
};
std::span<const OptionInfo> option_table();

// Sets one option from text. Errors name the option, the value and what is allowed.
// Groups are written "chat=alpaca,oasst;code=stack".
Status set_option(Options& options, std::string_view name, std::string_view value);

// The option's value as text that set_option takes back. `name` must be in the table.
std::string get_option(const Options& options, std::string_view name);

}  // namespace packscope
