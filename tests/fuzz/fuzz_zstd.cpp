// SPDX-License-Identifier: MIT
// zstd files, whole, damaged, cut and concatenated: what was compressed comes back, or an error does.
#include <zstd.h>

#include <vector>

#include "fuzz_input.hpp"
#include "input/byte_source.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

std::string compressed(const std::string& text, int level, bool checked) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checked ? 1 : 0);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size());
  expect(!ZSTD_isError(size), "zstd compresses");
  out.resize(size);
  ZSTD_freeCCtx(context);
  return out;
}

// Reads in pieces of any size, as the readers above do.
Result<std::string> read_pieces(FuzzedDataProvider& data, const std::string& path) {
  Result<native::ByteSource> source = native::ByteSource::open(path);
  if (!source) return source.error();
  std::string text;
  std::vector<char> piece(data.ConsumeIntegralInRange<std::size_t>(1, 5000));
  while (true) {
    const Result<std::size_t> got = source->read(piece);
    if (!got) return got.error();
    if (*got == 0) return text;
    expect(*got <= piece.size(), "no more is read than asked for");
    text.append(piece.data(), *got);
  }
}

void expect_frames_come_back(FuzzedDataProvider& data) {
  std::string text;
  std::string file;
  for (int i = data.ConsumeIntegralInRange(1, 4); i > 0; --i) {
    std::string frame = data.ConsumeRandomLengthString();
    for (int doubling = data.ConsumeIntegralInRange(0, 8); doubling > 0; --doubling) frame += frame;
    text += frame;
    file += compressed(frame, data.ConsumeIntegralInRange(1, 9), data.ConsumeBool());
    if (data.ConsumeBool()) file += std::string("\x50\x2a\x4d\x18\x02\x00\x00\x00..", 10);  // to be skipped
  }
  const bool damaged = data.ConsumeBool();
  if (damaged)
    file[data.ConsumeIntegralInRange<std::size_t>(0, file.size() - 1)] = data.ConsumeIntegral<char>();
  const bool cut = data.ConsumeBool();
  if (cut) file.resize(data.ConsumeIntegralInRange<std::size_t>(0, file.size()));
  const MemoryFile stored(file);
  const Result<std::string> read = read_pieces(data, stored.path());
  if (!read) {
    expect_sound(read.error());
    expect(damaged || cut, "a whole file is read", read.error().message);
  } else if (!damaged && !cut) {
    expect(*read == text, "what was compressed comes back");
  }
}

void expect_an_answer(FuzzedDataProvider& data) {
  std::string bytes = data.ConsumeBool() ? "\x28\xb5\x2f\xfd" : "";
  bytes += data.ConsumeRandomLengthString();
  const MemoryFile stored(bytes);
  if (const auto read = read_pieces(data, stored.path()); !read) expect_sound(read.error());
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  if (data.ConsumeBool()) {
    packscope_fuzz::expect_frames_come_back(data);
  } else {
    packscope_fuzz::expect_an_answer(data);
  }
  return 0;
}
