// SPDX-License-Identifier: MIT
// Runs every shared vector (tests/vectors) through the core, and its planning part through the oracle.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>

#include "cpp/vector_file.hpp"
#include "oracle/oracle.hpp"
#include "packscope/algorithms.hpp"
#include "packscope/batch.hpp"
#include "packscope/masks.hpp"
#include "packscope/pack.hpp"
#include "packscope/stats.hpp"
#include "packscope/validate.hpp"

namespace packscope_tests {
namespace {

using packscope::Batch;
using packscope::CuSeqlens;
using packscope::Labels;
using packscope::Ledger;
using packscope::Plan;
using packscope::Segment;

const std::map<std::string, std::uint64_t Ledger::*>& ledger_counts() {
  static const std::map<std::string, std::uint64_t Ledger::*> counts = {
      {"documents", &Ledger::documents},
      {"tokens", &Ledger::tokens},
      {"empty_documents", &Ledger::empty_documents},
      {"dropped_documents", &Ledger::dropped_documents},
      {"truncated_documents", &Ledger::truncated_documents},
      {"split_documents", &Ledger::split_documents},
      {"duplicate_documents", &Ledger::duplicate_documents},
      {"tokens_dropped", &Ledger::tokens_dropped},
      {"separators_added", &Ledger::separators_added},
      {"filler_windows", &Ledger::filler_windows},
  };
  return counts;
}

// One list for each window of one number for each segment.
json per_segment(const std::vector<std::vector<Segment>>& windows, std::uint32_t Segment::*member) {
  json lists = json::array();
  for (const auto& window : windows) {
    json list = json::array();
    for (const Segment& segment : window) list.push_back(segment.*member);
    lists.push_back(list);
  }
  return lists;
}

std::optional<json> planned_value(const std::vector<std::vector<Segment>>& windows, const Ledger& ledger,
                                  const std::string& key) {
  if (key == "segment_lengths") return per_segment(windows, &Segment::length);
  if (key == "segment_documents") return per_segment(windows, &Segment::document);
  if (key == "segment_offsets") return per_segment(windows, &Segment::document_offset);
  const auto count = ledger_counts().find(key);
  if (count != ledger_counts().end()) return ledger.*(count->second);
  return std::nullopt;
}

// Only the keys that `expected` names.
json named_counts(const Ledger& ledger, const json& expected) {
  json counts = json::object();
  for (const auto& [key, value] : expected.items()) counts[key] = ledger.*ledger_counts().at(key);
  return counts;
}

json by_source(const std::vector<std::string>& names, const std::vector<Ledger>& ledgers,
               const json& expected) {
  json sources = json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (expected.contains(names[i])) sources[names[i]] = named_counts(ledgers[i], expected[names[i]]);
  }
  return sources;
}

// A plan with everything that a vector may ask about it.
class Outcome {
 public:
  Outcome(const VectorInput& input, Plan plan) : input_(input), plan_(std::move(plan)) {}

  [[nodiscard]] json value(const std::string& key, const json& expected) const {
    if (const auto planned = planned_value(windows(), plan_.ledger, key)) return *planned;
    if (ends_with(key, "_flat")) return flat(value(key.substr(0, key.size() - 5), expected));
    if (key == "windows") return real(rows(batch().input_ids));
    if (key == "position_ids") return real(rows(batch().position_ids));
    if (key == "labels_shifted") return real(rows(batch(Labels::shifted).labels));
    if (key == "labels_aligned") return real(rows(batch(Labels::aligned).labels));
    if (key == "shifted_loss_mask") return real(rows(batch(Labels::shifted).loss_mask));
    if (key == "shifted_loss_mask_padded") return rows(batch(Labels::shifted).loss_mask);
    if (key == "attention_mask_padded") return attention_mask();
    if (key == "loss_token_count") return loss_token_count();
    if (key == "cu_seqlens_real") return real_offsets(&Batch::cu_seqlens);
    if (key == "cu_seqlens_padded") return real_offsets(&Batch::cu_seqlens_padded);
    if (key == "max_seqlen") return batch(CuSeqlens::real).max_seqlen;
    if (key == "dense_mask") return dense_mask();
    if (key == "block_masks") return block_masks(expected);
    if (key == "mask_error") return mask_error();
    if (key == "ledger_by_source") {
      return by_source(plan_.source_names, plan_.ledger_by_source, expected);
    }
    if (key == "stats") return stats(expected);
    if (key == "arrays") return arrays(expected);
    if (key == "materialize_error") return materialize_error();
    return "unknown key";
  }

 private:
  static bool ends_with(const std::string& text, const std::string& end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  }

  [[nodiscard]] std::vector<std::vector<Segment>> windows() const {
    std::vector<std::vector<Segment>> lists;
    for (std::uint64_t w = 0; w < plan_.window_count(); ++w) {
      const auto window = plan_.window(w);
      lists.emplace_back(window.begin(), window.end());
    }
    return lists;
  }

  [[nodiscard]] Batch materialize(const Plan& plan) const {
    auto made = packscope::materialize(plan, input_.corpus(), {0, plan.window_count()});
    if (!made) {
      ADD_FAILURE() << made.error().message;
      return {};
    }
    return std::move(made).value();
  }
  [[nodiscard]] json materialize_error() const {
    const auto made = packscope::materialize(plan_, input_.corpus(), {0, plan_.window_count()});
    return made ? "none" : std::string(error_code_name(made.error().code));
  }
  [[nodiscard]] Batch batch() const { return materialize(plan_); }
  [[nodiscard]] Batch batch(Labels labels) const {
    Plan plan = plan_;
    plan.options.labels = labels;
    return materialize(plan);
  }
  [[nodiscard]] Batch batch(CuSeqlens cu_seqlens) const {
    Plan plan = plan_;
    plan.options.cu_seqlens = cu_seqlens;
    return materialize(plan);
  }

  template <class T>
  [[nodiscard]] json rows(const std::vector<T>& values) const {
    const std::size_t width = plan_.options.context_length;
    json lists = json::array();
    for (std::size_t begin = 0; begin + width <= values.size(); begin += width) {
      json list = json::array();
      for (std::size_t i = 0; i < width; ++i) list.push_back(values[begin + i]);
      lists.push_back(list);
    }
    return lists;
  }

  [[nodiscard]] json real(const json& lists) const {
    const json doc_ids = rows(batch().doc_ids);
    json kept = json::array();
    for (std::size_t w = 0; w < lists.size(); ++w) {
      json list = json::array();
      for (std::size_t i = 0; i < lists[w].size(); ++i) {
        if (doc_ids[w][i] != -1) list.push_back(lists[w][i]);
      }
      kept.push_back(list);
    }
    return kept;
  }

  static json offsets(const Batch& batch, const std::vector<std::int32_t>& values) {
    json lists = json::array();
    if (values.empty()) return lists;
    for (std::size_t w = 0; w + 1 < batch.cu_seqlens_offsets.size(); ++w) {
      json list = json::array();
      for (std::uint64_t i = batch.cu_seqlens_offsets[w]; i < batch.cu_seqlens_offsets[w + 1]; ++i) {
        list.push_back(values[static_cast<std::size_t>(i)]);
      }
      lists.push_back(list);
    }
    return lists;
  }

  [[nodiscard]] json real_offsets(std::vector<std::int32_t> Batch::*member) const {
    const Batch made = batch(CuSeqlens::real);
    return offsets(made, made.*member);
  }

  static json flat(const json& lists) {
    json all = json::array();
    for (const json& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
  }

  [[nodiscard]] json attention_mask() const {
    json mask = rows(batch().doc_ids);
    for (json& row : mask) {
      for (json& cell : row) cell = cell == -1 ? 0 : 1;
    }
    return mask;
  }

  [[nodiscard]] json loss_token_count() const {
    std::uint64_t count = 0;
    for (const std::uint8_t trained : batch().loss_mask) count += trained;
    return count;
  }

  // Of the only window. Every form with cells and the predicate must say the same.
  [[nodiscard]] json dense_mask() const {
    if (plan_.window_count() != 1) return "a vector with dense_mask needs exactly one window";
    const auto boolean = packscope::boolean_mask(plan_, 0, input_.masks);
    const auto packed = packscope::packed_mask(plan_, 0, input_.masks);
    const auto f32 = packscope::additive_mask(plan_, 0, input_.masks);
    const auto f16 = packscope::additive_mask_f16(plan_, 0, input_.masks);
    const auto bf16 = packscope::additive_mask_bf16(plan_, 0, input_.masks);
    if (!boolean || !packed || !f32 || !f16 || !bf16) return "refused";
    const std::uint32_t n = plan_.options.context_length;
    const std::uint32_t row_bytes = packscope::packed_mask_row_bytes(n);
    json lines = json::array();
    for (std::uint32_t q = 0; q < n; ++q) {
      std::string line;
      for (std::uint32_t k = 0; k < n; ++k) {
        const std::size_t cell = std::size_t{q} * n + k;
        const bool allowed = (*boolean)[cell] == 1;
        line += allowed ? '1' : '0';
        EXPECT_EQ((*packed)[std::size_t{q} * row_bytes + k / 8] >> k % 8 & 1, allowed ? 1 : 0);
        EXPECT_EQ((*f32)[cell], allowed ? 0.0f : -std::numeric_limits<float>::infinity());
        EXPECT_EQ((*f16)[cell], allowed ? 0 : 0xfc00);
        EXPECT_EQ((*bf16)[cell], allowed ? 0 : 0xff80);
        EXPECT_EQ(packscope::attends(plan_, 0, q, k, input_.masks), allowed);
      }
      lines.push_back(line);
    }
    return lines;
  }

  // [[queries, keys, lines], ...]: the same mask in blocks of each size that `expected` names.
  [[nodiscard]] json block_masks(const json& expected) const {
    json masks = json::array();
    for (const json& mask : expected) {
      const packscope::BlockSize block{mask.at(0).get<std::uint32_t>(), mask.at(1).get<std::uint32_t>()};
      masks.push_back({block.queries, block.keys, block_lines(block)});
    }
    return masks;
  }

  [[nodiscard]] json block_lines(packscope::BlockSize block) const {
    const auto mask = packscope::block_mask(plan_, {0, plan_.window_count()}, input_.masks, block);
    if (!mask) return mask.error().message;
    json lines = json::array();
    for (std::size_t row = 0; row < mask->kv_num_blocks.size(); ++row) {
      std::string line(mask->key_blocks, '.');
      mark(line, mask->kv_num_blocks, mask->kv_indices, row, 'p');
      mark(line, mask->full_kv_num_blocks, mask->full_kv_indices, row, 'F');
      lines.push_back(line);
    }
    return lines;
  }

  static void mark(std::string& line, const std::vector<std::int32_t>& counts,
                   std::span<const std::int32_t> indices, std::size_t row, char kind) {
    const std::size_t first = row * line.size();
    for (std::size_t i = first; i < first + static_cast<std::size_t>(counts[row]); ++i) {
      line.at(static_cast<std::size_t>(indices[i])) = kind;
    }
  }

  [[nodiscard]] json mask_error() const {
    const auto mask = packscope::block_mask(plan_, {0, plan_.window_count()}, input_.masks);
    return mask ? "none" : std::string(error_code_name(mask.error().code));
  }

  [[nodiscard]] json stats(const json& expected) const {
    const auto made = packscope::stats(plan_, input_.corpus());
    if (!made) return made.error().message;
    const json all = {{"windows", made->windows},
                      {"segments", made->segments},
                      {"real_tokens", made->real_tokens},
                      {"padding_tokens", made->padding_tokens},
                      {"lower_bound", made->lower_bound},
                      {"gap", made->gap()},
                      {"sum_squared_lengths", made->sum_squared_lengths},
                      {"attention_pairs", made->attention_pairs},
                      {"causal_pairs", made->causal_pairs},
                      {"exact_duplicates", made->exact_duplicates.value_or(0)},
                      {"documents_without_target", made->documents_without_target.value_or(0)}};
    return only_named(all, expected);
  }

  [[nodiscard]] json arrays(const json& expected) const {
    const Batch made = batch();
    json all = {{"input_ids", rows(made.input_ids)},
                {"labels", rows(made.labels)},
                {"position_ids", rows(made.position_ids)},
                {"doc_ids", rows(made.doc_ids)},
                {"segment_ids", rows(made.segment_ids)},
                {"loss_mask", rows(made.loss_mask)},
                {"window_lengths", made.window_lengths},
                {"max_seqlen", made.max_seqlen},
                {"filler", made.filler},
                {"cu_seqlens", offsets(made, made.cu_seqlens)},
                {"cu_seqlens_padded", offsets(made, made.cu_seqlens_padded)},
                {"cu_seqlens_count", made.cu_seqlens_count}};
    for (const packscope::BatchField& field : made.fields) all[field.name] = rows(as_int32(field.values));
    return only_named(all, expected);
  }

  static std::vector<std::int32_t> as_int32(const std::vector<std::byte>& bytes) {
    std::vector<std::int32_t> values(bytes.size() / sizeof(std::int32_t));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  static json only_named(const json& all, const json& expected) {
    json named = json::object();
    for (const auto& [key, value] : expected.items()) named[key] = all.value(key, json("unknown key"));
    return named;
  }

  const VectorInput& input_;
  Plan plan_;
};

// `view: segments`: the documents are the segments of one window that just holds them.
Plan plan_of_segments(const VectorInput& input) {
  Plan plan;
  plan.options = input.options;
  const std::uint32_t multiple = input.options.document_multiple;
  std::uint32_t positions = 0;
  for (std::uint32_t document = 0; document < input.lengths.size(); ++document) {
    const std::uint32_t length = input.lengths[document];
    plan.segments.push_back({document, 0, length});
    positions += (length + multiple - 1) / multiple * multiple;
    plan.ledger.tokens += length;
  }
  plan.options.context_length = positions;
  plan.window_offsets.push_back(plan.segments.size());
  plan.ledger.documents = input.lengths.size();
  plan.ledger_by_source = {plan.ledger};
  return plan;
}

packscope::Result<Plan> make_plan(const VectorInput& input) {
  if (input.documents_are_segments) return plan_of_segments(input);
  if (auto checked = packscope::check_options(input.options); !checked) return checked.error();
  if (auto checked = packscope::check_corpus(input.corpus(), input.options); !checked) return checked.error();
  return packscope::pack(input.documents(), input.options);
}

void expect_error(const packscope::Error& error, const json& expect) {
  EXPECT_TRUE(expect.contains("error")) << "refused, but should be planned: " << error.message;
  for (const auto& [key, value] : expect.items()) {
    if (key == "error") {
      EXPECT_EQ(error_code_name(error.code), value.get<std::string>()) << error.message;
    } else if (key == "error_document") {
      EXPECT_EQ(error.document, value.get<std::uint64_t>()) << error.message;
    } else if (key == "error_names") {
      for (const json& word : value) {
        EXPECT_NE(error.message.find(word.get<std::string>()), std::string::npos)
            << "the message should name " << word << ": " << error.message;
      }
    } else {
      ADD_FAILURE() << "unknown key " << key << " beside error";
    }
  }
}

class Vectors : public testing::TestWithParam<json> {};

TEST_P(Vectors, HoldInTheCore) {
  const json& expect = GetParam().at("expect");
  const VectorInput input(GetParam());
  EXPECT_EQ(input.problems, std::vector<std::string>());

  const auto plan = make_plan(input);
  if (!plan) return expect_error(plan.error(), expect);
  ASSERT_FALSE(expect.contains("error")) << "planned, but should be refused";

  const auto valid = packscope::validate(*plan, input.documents());
  EXPECT_TRUE(valid.has_value()) << valid.error().message;
  const Outcome outcome(input, *plan);
  for (const auto& [key, value] : expect.items()) EXPECT_EQ(outcome.value(key, value), value) << key;
}

// The oracle is only worth comparing with if it keeps the hand-worked plans itself.
TEST_P(Vectors, HoldInTheOracle) {
  const json& expect = GetParam().at("expect");
  const VectorInput input(GetParam());
  if (input.documents_are_segments || expect.contains("error")) return;

  const auto plan = packscope_oracle::plan(input.documents(), input.options);
  for (const auto& [key, value] : expect.items()) {
    if (key == "ledger_by_source") {
      EXPECT_EQ(by_source(input.source_names, plan.ledger_by_source, value), value);
    } else if (const auto planned = planned_value(plan.windows, plan.ledger, key)) {
      EXPECT_EQ(*planned, value) << key;
    }
  }
}

std::string vector_name(const testing::TestParamInfo<json>& info) {
  std::string name = info.param.at("id").get<std::string>();
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Vectors,
                         testing::ValuesIn(read_vectors(PACKSCOPE_TESTS_DIR "/vectors/cases.jsonl")),
                         vector_name);
INSTANTIATE_TEST_SUITE_P(Rules, Vectors,
                         testing::ValuesIn(read_vectors(PACKSCOPE_TESTS_DIR "/vectors/rules.jsonl")),
                         vector_name);

}  // namespace
}  // namespace packscope_tests
