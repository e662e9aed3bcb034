// SPDX-License-Identifier: MIT
// Rows of an option table: how an option is set from text and written back. One kind of row for each kind
// of value; a table is an array of rows (options.cpp, masks/mask_options.cpp).
#pragma once

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "packscope/options.hpp"
#include "text.hpp"

namespace packscope {

template <class Owner>
struct OptionRow {
  OptionInfo info;
  // Says nothing on success and otherwise what would be allowed.
  std::optional<std::string> (*set)(Owner&, std::string_view text);
  std::string (*get)(const Owner&);
};

// The type that has a member, and the member's own.
template <class Pointer>
struct MemberTypes;
template <class OwnerType, class ValueType>
struct MemberTypes<ValueType OwnerType::*> {
  using Owner = OwnerType;
  using Value = ValueType;
};
template <auto Member>
using OwnerOf = typename MemberTypes<decltype(Member)>::Owner;
template <auto Member>
using ValueOf = typename MemberTypes<decltype(Member)>::Value;

// Leaves `out` alone unless all of `text` is a number.
template <class T>
bool parse_number(std::string_view text, T& out) {
  const char* end = text.data() + text.size();
  T value{};
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty()) return false;
  out = value;
  return true;
}

template <class T>
std::string range_text(T least, T most) {
  return concat("a whole number from ", least, " to ", most);
}

// Calls `visit(index, name)` for each of "a|b|c"; the index is the enumerator's value.
template <class Visit>
void for_each_choice(std::string_view choices, Visit visit) {
  for (std::uint8_t index = 0; !choices.empty(); ++index) {
    const std::size_t bar = choices.find('|');
    visit(index, choices.substr(0, bar));
    choices = bar == std::string_view::npos ? std::string_view{} : choices.substr(bar + 1);
  }
}

template <class Enum>
std::optional<Enum> parse_choice(std::string_view choices, std::string_view text) {
  std::optional<Enum> found;
  for_each_choice(choices, [&](std::uint8_t index, std::string_view name) {
    if (name == text) found = static_cast<Enum>(index);
  });
  return found;
}

template <class Enum>
std::string choice_text(std::string_view choices, Enum value) {
  std::string text;
  for_each_choice(choices, [&](std::uint8_t index, std::string_view name) {
    if (index == static_cast<std::uint8_t>(value)) text = name;
  });
  return text;
}

// What is written of a row in a table; the kind of row adds the rest.
struct OptionEntry {
  std::string_view name;
  std::string_view help;
  bool plans;
};

// The least and the most that the option allows are for the message; check_options() holds options to them.
template <auto Member, auto kLeast = std::numeric_limits<ValueOf<Member>>::min(),
          auto kMost = std::numeric_limits<ValueOf<Member>>::max()>
constexpr OptionRow<OwnerOf<Member>> number(OptionEntry entry) {
  using T = ValueOf<Member>;
  return {{entry.name, "N", entry.help, entry.plans},
          [](OwnerOf<Member>& options, std::string_view text) -> std::optional<std::string> {
            if (parse_number(text, options.*Member)) return std::nullopt;
            return range_text<T>(kLeast, kMost);
          },
          [](const OwnerOf<Member>& options) { return concat(options.*Member); }};
}

template <auto Member>
constexpr OptionRow<OwnerOf<Member>> number_or_unlimited(OptionEntry entry) {
  return {{entry.name, "N|unlimited", entry.help, entry.plans},
          [](OwnerOf<Member>& options, std::string_view text) -> std::optional<std::string> {
            if (text == "unlimited") {
              options.*Member = kUnlimited;
              return std::nullopt;
            }
            if (parse_number(text, options.*Member)) return std::nullopt;
            return concat("'unlimited' or ", range_text<ValueOf<Member>>(1, kUnlimited - 1));
          },
          [](const OwnerOf<Member>& options) {
            return options.*Member == kUnlimited ? std::string("unlimited") : concat(options.*Member);
          }};
}

template <auto Member, auto kLeast,
          auto kMost = std::numeric_limits<typename ValueOf<Member>::value_type>::max()>
constexpr OptionRow<OwnerOf<Member>> optional_number(OptionEntry entry) {
  using T = typename ValueOf<Member>::value_type;
  return {{entry.name, "N|none", entry.help, entry.plans},
          [](OwnerOf<Member>& options, std::string_view text) -> std::optional<std::string> {
            if (text == "none") {
              options.*Member = std::nullopt;
              return std::nullopt;
            }
            T value{};
            if (!parse_number(text, value)) return concat("'none' or ", range_text<T>(kLeast, kMost));
            options.*Member = value;
            return std::nullopt;
          },
          [](const OwnerOf<Member>& options) {
            return options.*Member ? concat(*(options.*Member)) : std::string("none");
          }};
}

template <auto Member>
constexpr OptionRow<OwnerOf<Member>> flag(OptionEntry entry) {
  return {{entry.name, "true|false", entry.help, entry.plans},
          [](OwnerOf<Member>& options, std::string_view text) -> std::optional<std::string> {
            if (text != "true" && text != "false") return "true or false";
            options.*Member = text == "true";
            return std::nullopt;
          },
          [](const OwnerOf<Member>& options) { return std::string(options.*Member ? "true" : "false"); }};
}

// A string that is a template argument, so that a row's functions know its choices.
template <std::size_t N>
struct Choices {
  char text[N]{};
  constexpr Choices(const char (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
};

template <auto Member, Choices kChoices>
constexpr OptionRow<OwnerOf<Member>> choice(OptionEntry entry) {
  using Enum = ValueOf<Member>;
  return {{entry.name, kChoices.view(), entry.help, entry.plans},
          [](OwnerOf<Member>& options, std::string_view text) -> std::optional<std::string> {
            const std::optional<Enum> value = parse_choice<Enum>(kChoices.view(), text);
            if (!value) return concat("one of ", kChoices.view());
            options.*Member = *value;
            return std::nullopt;
          },
          [](const OwnerOf<Member>& options) { return choice_text(kChoices.view(), options.*Member); }};
}

// The table that users see of rows.
template <class Owner, std::size_t N>
constexpr std::array<OptionInfo, N> infos_of(const OptionRow<Owner> (&rows)[N]) {
  std::array<OptionInfo, N> infos{};
  for (std::size_t i = 0; i < N; ++i) infos[i] = rows[i].info;
  return infos;
}

template <class Owner, std::size_t N>
const OptionRow<Owner>* find_row(const OptionRow<Owner> (&rows)[N], std::string_view name) {
  for (const OptionRow<Owner>& row : rows) {
    if (row.info.name == name) return &row;
  }
  return nullptr;
}

template <class Owner, std::size_t N>
Status set_by_name(const OptionRow<Owner> (&rows)[N], Owner& options, std::string_view name,
                   std::string_view value) {
  const OptionRow<Owner>* row = find_row(rows, name);
  if (row == nullptr) return invalid_option("there is no option '", name, "'");
  if (const std::optional<std::string> allowed = row->set(options, value)) {
    return invalid_option(name, " is '", value, "'; it must be ", *allowed);
  }
  return {};
}

template <class Owner, std::size_t N>
std::string get_by_name(const OptionRow<Owner> (&rows)[N], const Owner& options, std::string_view name) {
  const OptionRow<Owner>* row = find_row(rows, name);
  return row == nullptr ? std::string() : row->get(options);
}

}  // namespace packscope
