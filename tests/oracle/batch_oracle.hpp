// SPDX-License-Identifier: MIT
// What stands at every position of every window, one position at a time: the slow, obvious reference
// for batches and masks. Written from the rules, it shares nothing with the core but public types.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "packscope/batch.hpp"

namespace packscope_oracle {

enum class Kind : std::uint8_t { tail, gap, bos, token, separator };

struct Cell {
  Kind kind = Kind::tail;
  std::uint32_t document = 0;
  std::uint32_t segment = 0;         // 1, 2, ... in its window; 0 in padding
  std::uint32_t in_segment = 0;      // distance from the segment's (or the tail's) first position
  std::uint32_t segment_offset = 0;  // document_offset of the segment
  std::uint32_t token = 0;           // in the document, where kind is token

  [[nodiscard]] bool real() const { return kind != Kind::tail && kind != Kind::gap; }
};

// The stored positions of one window: context_length, and one more with extra_token.
std::vector<Cell> cells(const packscope::Plan& plan, const packscope::Corpus& corpus, std::uint64_t window);

// All windows of the plan, every field, token by token.
packscope::Batch batch(const packscope::Plan& plan, const packscope::Corpus& corpus);

// A corpus that owns its memory.
struct OwnedCorpus {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint8_t> loss_mask;
  std::vector<std::uint32_t> prompt_lengths;
  std::vector<std::int64_t> reward;
  std::vector<std::uint8_t> kind;
  bool has_tokens = true;
  std::vector<packscope::FieldView> fields;

  [[nodiscard]] packscope::Corpus view() const;
};

// A random plan, made without any of the algorithms, and the corpus it belongs to.
struct Example {
  packscope::Plan plan;
  OwnedCorpus corpus;
  std::string description;
};
Example random_example(std::mt19937_64& random);

}  // namespace packscope_oracle
