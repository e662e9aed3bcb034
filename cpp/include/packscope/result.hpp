// SPDX-License-Identifier: MIT
// Result<T>: a value, or an Error that says what went wrong and what to do about it.
// The core throws nothing; every fallible function returns a Result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace packscope {

// Append-only: values are part of the JavaScript interface.
enum class ErrorCode : std::uint8_t {
  invalid_option = 1,      // an option's value, or a combination of options, is not allowed
  invalid_argument = 2,    // an argument that is not an option is out of range or of the wrong size
  document_too_long = 3,   // long_documents=error met a document longer than the window
  token_out_of_range = 4,  // a token id is negative, or not below vocab_size
  length_mismatch = 5,     // two arrays that belong together differ in length
  unknown_source = 6,      // a document's source is missing, or in no group
  too_large = 7,           // a request exceeds a stated limit
  invalid_plan = 8,        // a plan breaks an invariant
  invalid_data = 9,        // a file's content is malformed
  io_error = 10,           // the operating system refused to read or write
  out_of_memory = 11,      // memory could not be had
  internal = 12,           // a fault of ours
  engine_restarted = 13,   // WebAssembly: the engine that held this stream has ended
};

// "invalid_option", "too_large", ...
std::string_view error_code_name(ErrorCode code);

inline constexpr std::uint64_t kNoDocument = UINT64_MAX;

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;                   // place, value, limit and remedy, in one or two sentences
  std::uint64_t document = kNoDocument;  // the document at fault, where there is one
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // Undefined without a value.
  T& value() & { return *std::get_if<0>(&state_); }
  const T& value() const& { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Undefined with a value.
  [[nodiscard]] const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace packscope
