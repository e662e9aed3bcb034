// SPDX-License-Identifier: MIT
#include "input/field_columns.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace packscope::native {
namespace {

using simdjson::dom::element_type;

constexpr std::array<std::string_view, 19> kOutputNames{
    "input_ids",        "labels",           "position_ids",      "doc_ids",
    "segment_ids",      "loss_mask",        "window_lengths",    "max_seqlen",
    "filler",           "cu_seqlens",       "cu_seqlens_padded", "cu_seqlens_offsets",
    "cu_seqlens_count", "segment_document", "segment_offset",    "segment_length",
    "window_offsets",   "segments",         "manifest"};

// Doubles hold every integer up to here.
constexpr std::int64_t kMaxExactDouble = std::int64_t{1} << 53;
constexpr std::size_t kMaxNameBytes = 200;

bool is_number(element_type type) {
  return type == element_type::INT64 || type == element_type::UINT64 || type == element_type::DOUBLE ||
         type == element_type::BOOL;
}

// Told by the first value, so that a list of strings is never mistaken for a damaged array.
bool is_number_list(simdjson::dom::array list) {
  if (list.size() == 0) return true;
  const element_type first = (*list.begin()).type();
  return is_number(first) || first == element_type::NULL_VALUE;
}

// A field becomes a file of its own name.
bool is_file_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= kMaxNameBytes && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::string ignore_it(std::string_view name) { return concat("--ignore-field ", name); }

}  // namespace

bool is_output_name(std::string_view name) {
  return std::find(kOutputNames.begin(), kOutputNames.end(), name) != kOutputNames.end();
}

bool can_name_array(std::string_view name) { return is_file_name(name) && !is_output_name(name); }

template <class Value>
void NumberColumn::push(Value value) {
  const std::size_t size = values_.size();
  values_.resize(size + sizeof(Value));
  std::memcpy(values_.data() + size, &value, sizeof(Value));
}

template <class From, class To>
bool NumberColumn::convert(DType to) {
  const std::size_t count = values_.size() / sizeof(From);
  Buffer<std::byte> converted(count * sizeof(To));
  for (std::size_t i = 0; i < count; ++i) {
    From from;
    std::memcpy(&from, values_.data() + i * sizeof(From), sizeof(From));
    if constexpr (std::is_same_v<From, std::int64_t>) {
      if (from > kMaxExactDouble || from < -kMaxExactDouble) return false;
    }
    const auto value = static_cast<To>(from);
    std::memcpy(converted.data() + i * sizeof(To), &value, sizeof(To));
  }
  values_ = std::move(converted);
  dtype_ = to;
  return true;
}

bool NumberColumn::widen_to(DType to) {
  if (dtype_ >= to) return true;
  if (dtype_ == DType::uint8) {
    if (to == DType::int32) return convert<std::uint8_t, std::int32_t>(to);
    return to == DType::int64 ? convert<std::uint8_t, std::int64_t>(to) : convert<std::uint8_t, double>(to);
  }
  if (dtype_ == DType::int32) {
    if (to == DType::float64) return convert<std::int32_t, double>(to);
    // Not through convert<>: widening an int32 to int64 is always exact.
    return convert<std::int32_t, std::int64_t>(to);
  }
  return convert<std::int64_t, double>(to);
}

bool NumberColumn::add_integer(std::int64_t value) {
  const bool narrow =
      value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
  if (!widen_to(narrow ? DType::int32 : DType::int64)) return false;
  if (dtype_ == DType::int32) {
    push(static_cast<std::int32_t>(value));
  } else if (dtype_ == DType::int64) {
    push(value);
  } else {
    if (value > kMaxExactDouble || value < -kMaxExactDouble) return false;
    push(static_cast<double>(value));
  }
  return true;
}

bool NumberColumn::add(simdjson::dom::element number) {
  std::int64_t integer = 0;
  if (number.get(integer) == simdjson::SUCCESS) return add_integer(integer);
  bool flag = false;
  if (number.get(flag) == simdjson::SUCCESS) {
    if (dtype_ != DType::uint8) return add_integer(flag ? 1 : 0);
    push(static_cast<std::uint8_t>(flag));
    return true;
  }
  if (number.type() != element_type::DOUBLE) return false;  // an integer past int64
  if (!widen_to(DType::float64)) return false;
  push(number.get_double().value_unsafe());
  return true;
}

// What must hold before the first values of a field are taken.
Status FieldColumns::check_aligned(const Place& place, const Offer& offer, const Column& column) const {
  const std::string_view name = offer.name;
  if (is_output_name(name)) {
    const std::string_view remedy = name == "labels"      ? "read it with --labels-field labels"
                                    : name == "loss_mask" ? "read it with --loss-mask-field loss_mask"
                                                          : "rename it";
    return bad_data(place, ": field '", name, "' is named like an output array; ", remedy,
                    ", or leave it out with ", ignore_it(name));
  }
  if (column.records != records_with_tokens_) {
    return bad_data(place, ": field '", name, "' has as many values as tokens here, but not in ",
                    counted_noun(records_with_tokens_ - column.records, "earlier record"),
                    "; leave it out with ", ignore_it(name));
  }
  if (streams_) {
    return bad_data(place, ": field '", name, "' has as many values as tokens, and --stream does not carry ",
                    "such fields; leave --stream out, or the field with ", ignore_it(name));
  }
  if (!is_file_name(name)) {
    return bad_data(place, ": field '", name, "' travels with the tokens, but its name cannot be a file's ",
                    "(letters, digits, _ - . only); rename it, or leave it out with --ignore-field '", name,
                    "'");
  }
  return {};
}

Status FieldColumns::take_values(const Place& place, const Offer& offer, Column& column) {
  std::uint64_t index = 0;
  for (const simdjson::dom::element value : offer.list) {
    if (!is_number(value.type())) {
      return bad_data(place, ": field '", offer.name,
                      "' travels with the tokens but holds no number at index ", index,
                      "; mend it, or leave the field out with ", ignore_it(offer.name));
    }
    if (!column.numbers.add(value)) {
      return bad_data(place, ": field '", offer.name, "' holds at index ", index,
                      " an integer that no array type holds exactly (int64, or float64 among fractions); ",
                      "leave the field out with ", ignore_it(offer.name));
    }
    ++index;
  }
  return {};
}

Status FieldColumns::take(const Place& place, const Offer& offer, std::uint64_t token_count) {
  auto found = columns_.find(offer.name);
  if (found == columns_.end()) found = columns_.emplace(std::string(offer.name), Column{}).first;
  Column& column = found->second;
  if (column.last_seen == record_) {
    return bad_data(place, ": the key '", offer.name,
                    "' stands twice in the record; keep one, or leave it out with ", ignore_it(offer.name));
  }
  column.last_seen = record_;
  const std::uint64_t length = offer.list.size();
  if (length == 0 && token_count == 0) return {};
  const bool same_length = length == token_count;
  if (column.state != State::aligned) {
    if (!is_number_list(offer.list)) column.state = State::not_numbers;
    if (column.state == State::not_numbers) {
      column.left_out |= same_length;
      return {};
    }
    if (!same_length) {
      column.state = State::other_length;
      return {};
    }
    if (Status fit = check_aligned(place, offer, column); !fit) return fit;
    column.state = State::aligned;
    ++aligned_columns_;
  }
  if (!same_length) {
    return bad_data(place, ": field '", offer.name, "' has ", counted_noun(length, "value"), " for ",
                    counted_noun(token_count, "token"),
                    ", yet as many as tokens in earlier records; leave it out with ", ignore_it(offer.name));
  }
  ++column.records;
  return take_values(place, offer, column);
}

Status FieldColumns::end_record(const Place& place, std::uint64_t token_count) {
  ++record_;
  for (const Offer& offer : offered_) {
    if (Status taken = take(place, offer, token_count); !taken) return taken;
  }
  offered_.clear();
  if (token_count == 0) return {};
  ++records_with_tokens_;
  if (aligned_columns_ == 0) return {};
  for (const auto& [name, column] : columns_) {
    if (column.state != State::aligned || column.records == records_with_tokens_) continue;
    return bad_data(place, ": field '", name,
                    "' is missing or no list here, yet as long as the tokens in earlier ",
                    "records; mend it, or leave the field out with ", ignore_it(name));
  }
  return {};
}

void FieldColumns::finish(CorpusData& corpus) {
  for (auto& [name, column] : columns_) {
    if (column.left_out) corpus.fields_left_out.push_back(name);
    if (column.state != State::aligned) continue;
    corpus.fields.push_back({name, column.numbers.dtype(), column.numbers.take_values()});
  }
}

}  // namespace packscope::native
