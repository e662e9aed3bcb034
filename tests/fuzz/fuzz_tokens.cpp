// SPDX-License-Identifier: MIT
// Token files of any bytes, raw or .npy with offsets.
#include "files/npy.hpp"
#include "read_tokens.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

// A header that is nearly right, so that the values behind it are reached.
std::string npy_bytes(FuzzedDataProvider& data, std::size_t most) {
  const std::string_view descr = data.PickValueInArray({"<i4", ">i8", "|u1", "<u8", "<u2", "<i1", "<f8"});
  const std::string values = data.ConsumeRandomLengthString(most);
  const std::uint64_t whole = values.size() / static_cast<std::size_t>(descr[2] - '0');
  const std::uint64_t count =
      data.ConsumeIntegralInRange(0, 7) == 0 ? data.ConsumeIntegral<std::uint64_t>() : whole;
  return data.ConsumeIntegralInRange(0, 7) == 0
             ? values
             : native::npy_header({std::string(descr), false, {count}}) + values;
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace packscope_fuzz;
  FuzzedDataProvider data(bytes, size);
  native::ReadOptions flags;
  if (data.ConsumeBool()) flags.limit_documents = data.ConsumeIntegralInRange<std::uint64_t>(0, 100);
  if (data.ConsumeBool()) flags.vocab_size = data.ConsumeIntegralInRange(1u, 300u);
  if (data.ConsumeBool()) {
    flags.input = native::InputKind::tokens;
    flags.token_type = native::token_type_named(data.ConsumeBool() ? "uint16" : "uint32");
    flags.end_of_document = data.ConsumeIntegralInRange(0u, 3u);
    const MemoryFile file(data.ConsumeRemainingBytesAsString());
    read_tokens(file.path(), flags);
    return 0;
  }
  flags.input = native::InputKind::npy_tokens;
  const MemoryFile offsets(npy_bytes(data, 200));
  const MemoryFile tokens(npy_bytes(data, 2000));
  flags.offsets = {offsets.path()};
  read_tokens(tokens.path(), flags);
  return 0;
}
