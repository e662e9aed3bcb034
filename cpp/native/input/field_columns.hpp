// SPDX-License-Identifier: MIT
// Finds the fields of JSON records that are always as long as the tokens, and collects their values.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "input/corpus_data.hpp"
#include "message.hpp"

namespace packscope::native {

// Values of one field in the narrowest type that holds all of them so far: uint8 while they are
// true and false, then int32, int64, and float64 once one has a fraction.
class NumberColumn {
 public:
  // False where the number cannot join without losing digits.
  bool add(simdjson::dom::element number);

  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] Buffer<std::byte> take_values() { return std::move(values_); }

 private:
  template <class Value>
  void push(Value value);
  template <class From, class To>
  bool convert(DType to);
  bool widen_to(DType to);
  bool add_integer(std::int64_t value);

  DType dtype_ = DType::uint8;
  Buffer<std::byte> values_;
};

class FieldColumns {
 public:
  // `streams`: documents leave before all records are read, so that no field can go with them.
  explicit FieldColumns(bool streams) : streams_(streams) {}

  // A list field of the current record that no flag claims.
  void offer(std::string_view name, simdjson::dom::array list) { offered_.push_back({name, list}); }

  // Takes what was offered for a record of `token_count` tokens. Errors name the field that is
  // sometimes as long as the tokens and sometimes not, that cannot be an array, or whose name is taken.
  Status end_record(const Place& place, std::uint64_t token_count);

  // Whether any record had a list of its own: then records must be read one after the other.
  [[nodiscard]] bool any() const { return !columns_.empty(); }

  // Counts records without lists that were read elsewhere.
  void pass(std::uint64_t records, std::uint64_t with_tokens) {
    record_ += records;
    records_with_tokens_ += with_tokens;
  }

  // Moves the collected fields, ascending by name.
  void finish(CorpusData& corpus);

 private:
  enum class State : std::uint8_t { undecided, aligned, other_length, not_numbers };
  struct Column {
    State state = State::undecided;
    NumberColumn numbers;
    std::uint64_t records = 0;    // with tokens, that had the field in the tokens' length
    std::uint64_t last_seen = 0;  // number of the last record that had it, from 1
    bool left_out = false;        // not numbers, but once as long as the tokens
  };
  struct Offer {
    std::string_view name;
    simdjson::dom::array list;
  };

  Status take(const Place& place, const Offer& offer, std::uint64_t token_count);
  Status check_aligned(const Place& place, const Offer& offer, const Column& column) const;
  Status take_values(const Place& place, const Offer& offer, Column& column);

  bool streams_;
  std::map<std::string, Column, std::less<>> columns_;
  std::vector<Offer> offered_;
  std::uint64_t record_ = 0;               // number of the current record, from 1
  std::uint64_t records_with_tokens_ = 0;  // before the current one
  std::uint64_t aligned_columns_ = 0;
};

// Whether `name` is an array or a list of our own output.
bool is_output_name(std::string_view name);

// Whether a field of that name can stand among the arrays of an output, as a file of its own.
bool can_name_array(std::string_view name);

}  // namespace packscope::native
