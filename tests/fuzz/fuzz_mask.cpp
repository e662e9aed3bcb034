// SPDX-License-Identifier: MIT
// Masks of any windows, broken ones too: every form is refused or says what the predicate says.
#include <cmath>

#include "fuzz_main.hpp"
#include "packscope/masks.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

constexpr std::uint32_t kMaxContextLength = 48;

Plan choose_plan(FuzzedDataProvider& data) {
  Plan plan;
  for (const char* name : {"context_length", "document_multiple", "bos_id", "extra_token"}) {
    for (const OptionInfo& info : option_table()) {
      if (info.name == name && data.ConsumeBool()) {
        (void)set_option(plan.options, name, choose_value(data, info.value, 50));
      }
    }
  }
  plan.options.context_length = std::min(plan.options.context_length, kMaxContextLength);
  const std::size_t windows = data.ConsumeIntegralInRange<std::size_t>(0, 3);
  for (std::size_t w = 0; w < windows; ++w) {
    for (int i = data.ConsumeIntegralInRange(0, 6); i > 0; --i) {
      const std::uint32_t length = data.ConsumeProbability<float>() < 0.98f
                                       ? data.ConsumeIntegralInRange(1u, 12u)
                                       : data.ConsumeIntegral<std::uint32_t>();
      const std::uint32_t offset = data.ConsumeBool() ? 0 : data.ConsumeIntegral<std::uint32_t>();
      plan.segments.push_back({data.ConsumeIntegralInRange(0u, 4u), offset, length});
    }
    plan.window_offsets.push_back(plan.segments.size());
  }
  return plan;
}

MaskOptions choose_masks(FuzzedDataProvider& data, std::vector<std::uint32_t>& prefixes) {
  MaskOptions options;
  for (const OptionInfo& info : mask_option_table()) {
    if (data.ConsumeBool()) (void)set_mask_option(options, info.name, choose_value(data, info.value, 14));
  }
  const std::size_t count = data.ConsumeIntegralInRange<std::size_t>(0, 5);
  for (std::size_t i = 0; i < count; ++i) {
    prefixes.push_back(data.ConsumeBool() ? data.ConsumeIntegralInRange(0u, 12u)
                                          : data.ConsumeIntegral<std::uint32_t>());
  }
  options.prefix_lengths = prefixes;
  return options;
}

void expect_cells_agree(const Plan& plan, std::uint64_t w, const MaskOptions& options,
                        const std::vector<std::uint8_t>& boolean) {
  const auto packed = packed_mask(plan, w, options);
  const auto f32 = additive_mask(plan, w, options);
  const auto f16 = additive_mask_f16(plan, w, options);
  const auto bf16 = additive_mask_bf16(plan, w, options);
  const auto intervals = key_intervals(plan, w, options);
  expect(packed && f32 && f16 && bf16, "what one form gives, the others give");
  const std::uint32_t n = plan.options.context_length;
  for (std::uint32_t q = 0; q < n; ++q) {
    for (std::uint32_t k = 0; k < n; ++k) {
      const bool allowed = attends(plan, w, q, k, options);
      const std::size_t cell = std::size_t{q} * n + k;
      const std::size_t byte = std::size_t{q} * packed_mask_row_bytes(n) + k / 8;
      expect(boolean[cell] == (allowed ? 1 : 0), "boolean says what attends() says");
      expect(((*packed)[byte] >> k % 8 & 1) == (allowed ? 1 : 0), "packed says what attends() says");
      expect(std::isinf((*f32)[cell]) != allowed, "f32 says what attends() says");
      expect(((*f16)[cell] == 0) == allowed, "f16 says what attends() says");
      expect(((*bf16)[cell] == 0) == allowed, "bf16 says what attends() says");
      if (!intervals) continue;
      const KeyInterval keys = (*intervals)[q];
      expect((keys.begin <= k && k < keys.end) == allowed, "intervals say what attends() says");
    }
  }
}

// How many cells of a block, which may reach beyond the window, are allowed.
std::uint64_t allowed_in(const std::uint8_t* mask, std::uint32_t n, std::uint64_t q0, std::uint64_t k0,
                         BlockSize block) {
  std::uint64_t allowed = 0;
  for (std::uint64_t q = q0; q < std::min<std::uint64_t>(n, q0 + block.queries); ++q) {
    for (std::uint64_t k = k0; k < std::min<std::uint64_t>(n, k0 + block.keys); ++k)
      allowed += mask[q * n + k];
  }
  return allowed;
}

bool lists(const std::vector<std::int32_t>& counts, std::span<const std::int32_t> indices, std::size_t row,
           std::uint32_t width, std::uint32_t block) {
  const auto first = indices.begin() + static_cast<std::ptrdiff_t>(row * width);
  return std::find(first, first + counts[row], static_cast<std::int32_t>(block)) != first + counts[row];
}

void expect_blocks_agree(const Plan& plan, WindowRange windows, const MaskOptions& options, BlockSize block,
                         const std::vector<std::uint8_t>& boolean) {
  const auto mask = block_mask(plan, windows, options, block);
  const auto counts = count_blocks(plan, windows, options, block);
  expect(mask.has_value() == counts.has_value(), "blocks are listed where they are counted");
  if (!mask) return expect(block.queries == 0 || block.keys == 0, "blocks are given where cells are");
  const std::uint32_t n = plan.options.context_length;
  BlockCounts seen;
  for (std::uint64_t w = 0; w < windows.size(); ++w) {
    for (std::uint32_t i = 0; i < mask->query_blocks; ++i) {
      const auto row = static_cast<std::size_t>(w * mask->query_blocks + i);
      for (std::uint32_t j = 0; j < mask->key_blocks; ++j) {
        const std::uint64_t allowed =
            allowed_in(boolean.data() + w * n * n, n, std::uint64_t{i} * block.queries,
                       std::uint64_t{j} * block.keys, block);
        const bool full = allowed == std::uint64_t{block.queries} * block.keys;
        ++(full ? seen.full : allowed > 0 ? seen.partial : seen.skipped);
        expect(lists(mask->full_kv_num_blocks, mask->full_kv_indices, row, mask->key_blocks, j) == full,
               "full blocks are those with every cell");
        expect(
            lists(mask->kv_num_blocks, mask->kv_indices, row, mask->key_blocks, j) == (allowed > 0 && !full),
            "partial blocks are those with some cells");
      }
    }
  }
  expect(seen.full == counts->full && seen.partial == counts->partial && seen.skipped == counts->skipped,
         "blocks are counted as they are listed");
}

}  // namespace

void run(FuzzedDataProvider& data) {
  const Plan plan = choose_plan(data);
  std::vector<std::uint32_t> prefixes;
  const MaskOptions options = choose_masks(data, prefixes);
  const BlockSize block{data.ConsumeIntegralInRange(0u, 60u), data.ConsumeIntegralInRange(0u, 60u)};
  const WindowRange windows{0,
                            data.ConsumeBool() ? plan.window_count() : data.ConsumeIntegral<std::uint64_t>()};
  const auto boolean = boolean_mask(plan, windows, options);
  if (!boolean) {
    expect_sound(boolean.error());
    expect(!block_mask(plan, windows, options, block), "what one form refuses, block lists refuse");
    return;
  }
  const std::size_t cells = std::size_t{plan.options.context_length} * plan.options.context_length;
  for (std::uint64_t w = 0; w < windows.size(); ++w) {
    const auto first = boolean->begin() + static_cast<std::ptrdiff_t>(w * cells);
    expect_cells_agree(plan, w, options, {first, first + static_cast<std::ptrdiff_t>(cells)});
  }
  expect_blocks_agree(plan, windows, options, block, *boolean);
}

}  // namespace packscope_fuzz
