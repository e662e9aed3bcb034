// SPDX-License-Identifier: MIT
// Attention masks of packed windows. The truth is attends(); every other form is checked against it.
//
// Forms that stay small for long windows: key_intervals(), block_mask(), and cu_seqlens with max_seqlen
// of a Batch. Dense forms have a cell for each query and key and are refused above kMaxDenseMaskBytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packscope/batch.hpp"
#include "packscope/buffer.hpp"
#include "packscope/options.hpp"
#include "packscope/plan.hpp"

namespace packscope {

enum class Mask : std::uint8_t { causal, bidirectional };
enum class PaddingQueries : std::uint8_t { self, masked };

struct MaskOptions {
  Mask mask = Mask::causal;
  bool document_mask = true;  // false: documents of a window see each other (the leak)
  // Counts the token itself: 0 <= q - k < sliding_window, |q - k| for bidirectional and prefix pairs.
  std::optional<std::uint32_t> sliding_window = std::nullopt;
  // [D] prefix-LM: these first tokens of a document see each other both ways. Data, so not in the table.
  std::span<const std::uint32_t> prefix_lengths = {};
  PaddingQueries padding_queries = PaddingQueries::self;  // what a query on padding sees: itself, or nothing
};

// The options of masks as text, as option_table(), set_option(), get_option() and check_options() are
// for packing. No name stands in both tables.
std::span<const OptionInfo> mask_option_table();
Status set_mask_option(MaskOptions& options, std::string_view name, std::string_view value);
std::string get_mask_option(const MaskOptions& options, std::string_view name);
Status check_mask_options(const MaskOptions& options);

// Whether query position q may attend to key position k in `window`. Both below context_length. A
// document without an entry in prefix_lengths has no prefix; the other forms refuse that.
bool attends(const Plan& plan, std::uint64_t window, std::uint32_t q, std::uint32_t k,
             const MaskOptions& options = {});

// Keys [begin, end) that a query may attend to.
struct KeyInterval {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const KeyInterval&) const = default;
};

// [context_length] the keys of each query of one window, [0, 0) where there is none. Causal with the
// document rule it is [start of the query's segment, q + 1). Refused where a query's keys are no
// single interval: document_mask=false together with a document_multiple above 1.
Result<std::vector<KeyInterval>> key_intervals(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options = {});

// Each dense form takes a range of windows and gives [windows, 1, context_length, context_length] row-major,
// the shape that attention takes with any number of heads: window, head, query, key. Errors: windows that the
// plan does not have or that break it, prefix_lengths without an entry for one of their documents, a
// sliding_window of 0, too many bytes. The overloads for one window give the same numbers, [context_length,
// context_length].
inline constexpr std::uint64_t kMaxDenseMaskBytes = std::uint64_t{1} << 30;

// The shape of a mask of `windows`: of every form but the bit-packed, whose last extent is
// packed_mask_row_bytes(context_length).
std::array<std::uint64_t, 4> dense_mask_shape(const Plan& plan, WindowRange windows);

// uint8: 1 = may attend. The bool of PyTorch and NumPy.
Result<std::vector<std::uint8_t>> boolean_mask(const Plan& plan, WindowRange windows,
                                               const MaskOptions& options = {});

// uint8, eight keys a byte: key k of a query is bit k % 8 (0 = least significant) of its byte k / 8, 1 = may
// attend. Every query begins at a byte, [windows, 1, context_length, packed_mask_row_bytes]; bits
// past context_length are 0. numpy.unpackbits(mask, axis=-1, bitorder="little") unpacks it.
constexpr std::uint32_t packed_mask_row_bytes(std::uint32_t context_length) {
  return context_length / 8 + (context_length % 8 == 0 ? 0 : 1);
}
Result<std::vector<std::uint8_t>> packed_mask(const Plan& plan, WindowRange windows,
                                              const MaskOptions& options = {});

// 0 = may attend, -inf = may not, to be added to the scores: as 32-bit floats, and as the bit patterns of
// IEEE half precision (-inf is 0xfc00) and of bfloat16 (-inf is 0xff80).
Result<std::vector<float>> additive_mask(const Plan& plan, WindowRange windows,
                                         const MaskOptions& options = {});
Result<std::vector<std::uint16_t>> additive_mask_f16(const Plan& plan, WindowRange windows,
                                                     const MaskOptions& options = {});
Result<std::vector<std::uint16_t>> additive_mask_bf16(const Plan& plan, WindowRange windows,
                                                      const MaskOptions& options = {});

Result<std::vector<std::uint8_t>> boolean_mask(const Plan& plan, std::uint64_t window,
                                               const MaskOptions& options = {});
Result<std::vector<std::uint8_t>> packed_mask(const Plan& plan, std::uint64_t window,
                                              const MaskOptions& options = {});
Result<std::vector<float>> additive_mask(const Plan& plan, std::uint64_t window,
                                         const MaskOptions& options = {});
Result<std::vector<std::uint16_t>> additive_mask_f16(const Plan& plan, std::uint64_t window,
                                                     const MaskOptions& options = {});
Result<std::vector<std::uint16_t>> additive_mask_bf16(const Plan& plan, std::uint64_t window,
                                                      const MaskOptions& options = {});

// A block is a rectangle of queries by keys, positions [i * queries, (i + 1) * queries) and likewise for
// keys. The last ones may reach beyond context_length.
struct BlockSize {
  std::uint32_t queries = 128;
  std::uint32_t keys = 128;
};

// What FlexAttention's BlockMask holds: which blocks to compute. In a full block every query attends to
// every key, so the predicate need not be asked; in a partial one some do. A block beyond
// context_length is never full. All others are skipped. W windows, Q query blocks, K key blocks.
//
// BlockMask.from_kv_blocks takes the four arrays in the order they stand here, with a mask_mod that says
// what attends() says.
struct BlockMask {
  std::uint32_t query_blocks = 0;  // Q: ceil(context_length / block.queries)
  std::uint32_t key_blocks = 0;    // K: ceil(context_length / block.keys)

  std::vector<std::int32_t> kv_num_blocks;       // [W, 1, Q] how many partial blocks
  Buffer<std::int32_t> kv_indices;               // [W, 1, Q, K] which, ascending; past the count unspecified
  std::vector<std::int32_t> full_kv_num_blocks;  // [W, 1, Q] how many full blocks
  Buffer<std::int32_t> full_kv_indices;          // [W, 1, Q, K] which, ascending; past the count unspecified
};

// W * Q * K, the entries of an index list, may be so many: 1,048,576 positions in blocks of 128.
inline constexpr std::uint64_t kMaxBlockMaskEntries = std::uint64_t{1} << 26;

// Made from intervals: the time grows with the windows' positions and the blocks listed. Errors as the
// dense forms, and a block size of 0.
Result<BlockMask> block_mask(const Plan& plan, WindowRange windows, const MaskOptions& options = {},
                             BlockSize block = {});

// How many blocks are of each kind, over all windows of a range. Makes no lists, so any length will do.
struct BlockCounts {
  std::uint64_t full = 0;
  std::uint64_t partial = 0;
  std::uint64_t skipped = 0;

  [[nodiscard]] std::uint64_t total() const { return full + partial + skipped; }
};
Result<BlockCounts> count_blocks(const Plan& plan, WindowRange windows, const MaskOptions& options = {},
                                 BlockSize block = {});

// The textbook rule, on doc_ids [n] with -1 for padding: 0 where k <= q, same document and q not
// padding, else -inf; a padding row is all -inf. [n, n], refused above kMaxDenseMaskBytes.
Result<std::vector<float>> build_intra_document_mask(std::span<const std::int32_t> doc_ids);

}  // namespace packscope
