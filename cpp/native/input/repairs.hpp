// SPDX-License-Identifier: MIT
// What readers put right without asking.
#pragma once

#include <cstdint>

namespace packscope::native {

// Each is counted and reported, none loses a token.
struct Repairs {
  std::uint64_t byte_order_marks = 0;   // skipped at the start of a file
  std::uint64_t crlf_line_ends = 0;     // the carriage return taken off a line's end
  std::uint64_t blank_lines = 0;        // skipped; in plain text they are empty documents instead
  std::uint64_t zero_padded_files = 0;  // zeros behind a file's gzip data skipped
  std::uint64_t unended_documents = 0;  // the last of a raw token file, without its end-of-document id

  void add(const Repairs& more) {
    byte_order_marks += more.byte_order_marks;
    crlf_line_ends += more.crlf_line_ends;
    blank_lines += more.blank_lines;
    zero_padded_files += more.zero_padded_files;
    unended_documents += more.unended_documents;
  }
};

}  // namespace packscope::native
