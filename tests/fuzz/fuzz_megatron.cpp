// SPDX-License-Identifier: MIT
// Megatron's token files beside an index that is nearly right.
#include "files/megatron_layout.hpp"
#include "fuzzed_folder.hpp"
#include "output/byte_append.hpp"
#include "read_tokens.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

constexpr std::size_t kMostSequences = 12;
constexpr std::uint8_t kUnknownCode = 9;

// Mostly `right`, so that what stands behind it is reached.
template <class Value>
void append_likely(FuzzedDataProvider& data, std::string& bytes, Value right) {
  const bool wrong = data.ConsumeIntegralInRange(0, 15) == 0;
  native::append_value(bytes, wrong ? data.ConsumeIntegral<Value>() : right);
}

std::string index_bytes(FuzzedDataProvider& data) {
  const std::uint64_t sequences = data.ConsumeIntegralInRange<std::uint64_t>(0, kMostSequences);
  const std::uint64_t documents = data.ConsumeIntegralInRange<std::uint64_t>(0, sequences);
  std::string bytes(native::kMegatronMagic);
  append_likely(data, bytes, native::kMegatronVersion);
  native::append_value(bytes, data.ConsumeIntegralInRange<std::uint8_t>(0, kUnknownCode));
  append_likely(data, bytes, sequences);
  append_likely(data, bytes, documents + 1);
  for (std::uint64_t i = 0; i < sequences; ++i) {
    append_likely(data, bytes, data.ConsumeIntegralInRange<std::int32_t>(0, 8));
  }
  for (std::uint64_t i = 0; i < sequences; ++i) {
    append_likely(data, bytes, data.ConsumeIntegralInRange<std::int64_t>(0, 64));
  }
  for (std::uint64_t i = 0; i <= documents; ++i) append_likely(data, bytes, static_cast<std::int64_t>(i));
  bytes += data.ConsumeRandomLengthString(kMostSequences);
  return bytes;
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace packscope_fuzz;
  static const FuzzedFolder folder;
  FuzzedDataProvider data(bytes, size);
  packscope::native::ReadOptions flags;
  flags.input = packscope::native::InputKind::megatron;
  if (data.ConsumeBool())
    flags.limit_documents = data.ConsumeIntegralInRange<std::uint64_t>(0, kMostSequences);
  if (data.ConsumeBool()) flags.vocab_size = data.ConsumeIntegralInRange(1u, 300u);
  folder.store("pair.idx", data.ConsumeBool() ? index_bytes(data) : data.ConsumeRandomLengthString());
  folder.store("pair.bin", data.ConsumeRemainingBytesAsString());
  read_tokens(folder.path() + "/pair.idx", flags);
  return 0;
}
