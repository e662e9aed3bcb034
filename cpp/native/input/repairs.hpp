// SPDX-License-Identifier: MIT
// What readers put right without asking.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace packscope::native {

// Each is counted and reported, none loses a token.
struct Repairs {
  std::uint64_t byte_order_marks = 0;   // skipped at the start of a file
  std::uint64_t crlf_line_ends = 0;     // the carriage return taken off a line's end
  std::uint64_t blank_lines = 0;        // skipped; in plain text they are empty documents instead
  std::uint64_t zero_padded_files = 0;  // zeros behind a file's gzip data skipped
  std::uint64_t unended_documents = 0;  // the last of a raw token file, without its end-of-document id

  void add(const Repairs& more);
};

// Each count under the name that it has in JSON.
inline constexpr std::array<std::pair<std::string_view, std::uint64_t Repairs::*>, 5> kRepairCounts{
    {{"byte_order_marks", &Repairs::byte_order_marks},
     {"crlf_line_ends", &Repairs::crlf_line_ends},
     {"blank_lines", &Repairs::blank_lines},
     {"zero_padded_files", &Repairs::zero_padded_files},
     {"unended_documents", &Repairs::unended_documents}}};
static_assert(sizeof(Repairs) == kRepairCounts.size() * sizeof(std::uint64_t), "every count has its name");

inline void Repairs::add(const Repairs& more) {
  for (const auto& [name, count] : kRepairCounts) this->*count += more.*count;
}

}  // namespace packscope::native
