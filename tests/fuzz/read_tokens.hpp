// SPDX-License-Identifier: MIT
// Reads a token file: an error, or a corpus that keeps its promises, with the same lengths when tokens are
// not kept.
#pragma once

#include <string>

#include "fuzz_input.hpp"
#include "input/corpus_data.hpp"
#include "input/read_input.hpp"

namespace packscope_fuzz {

inline void read_tokens(const std::string& path, packscope::native::ReadOptions flags) {
  const std::string paths[] = {path};
  const auto corpus = packscope::native::read_input(paths, flags, {});
  if (!corpus) return expect_sound(corpus.error());
  packscope::Options options;
  options.vocab_size = flags.vocab_size;
  expect_value(check_corpus(corpus->view(), options), "what a reader gives passes check_corpus()");
  expect(corpus->document_count() <= flags.limit_documents.value_or(UINT64_MAX), "limit_documents holds");
  flags.lengths_only = true;
  const auto counted = packscope::native::read_input(paths, flags, {});
  expect_value(counted, "what is read with tokens is read without");
  expect(counted->document_offsets == corpus->document_offsets, "the same lengths");
}

}  // namespace packscope_fuzz
