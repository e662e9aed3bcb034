// SPDX-License-Identifier: MIT
// How Megatron-LM's indexed data sets lie on disk: tokens in NAME.bin, and an index in NAME.idx. The index is
// little-endian: magic [9], version u64, dtype code u8, sequences u64, entries of document_indices u64; then
// sizes i32 [sequences], pointers i64 [sequences] in bytes, document_indices i64. Multimodal data sets have a
// mode i8 [sequences] behind it.
#pragma once

#include <cstdint>
#include <string_view>

namespace packscope::native {

inline constexpr std::string_view kTokenFileEnding = ".bin";
inline constexpr std::string_view kMegatronIndexEnding = ".idx";  // beside a token file of the same name

inline constexpr std::string_view kMegatronMagic{"MMIDIDX\0\0", 9};
inline constexpr std::uint64_t kMegatronVersion = 1;

// Of the dtypes that are written; the reader knows all of them.
inline constexpr std::uint8_t kMegatronInt32 = 4;
inline constexpr std::uint8_t kMegatronUint16 = 8;

}  // namespace packscope::native
