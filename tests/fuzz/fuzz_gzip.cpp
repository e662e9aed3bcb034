// SPDX-License-Identifier: MIT
// Gzip files, whole, damaged, cut and concatenated: what was compressed comes back, or an error does.
#include <zlib.h>

#include <vector>

#include "fuzz_input.hpp"
#include "input/byte_source.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

std::string compressed(std::string text, int level) {
  constexpr int kGzip = 15 + 16;
  z_stream z{};
  expect(deflateInit2(&z, level, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib starts");
  std::string out(deflateBound(&z, text.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(text.data());
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  expect(deflate(&z, Z_FINISH) == Z_STREAM_END, "zlib finishes");
  out.resize(z.total_out);
  deflateEnd(&z);
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

void expect_members_come_back(FuzzedDataProvider& data) {
  std::string text;
  std::string file;
  for (int i = data.ConsumeIntegralInRange(1, 4); i > 0; --i) {
    std::string member = data.ConsumeRandomLengthString();
    for (int doubling = data.ConsumeIntegralInRange(0, 8); doubling > 0; --doubling) member += member;
    text += member;
    file += compressed(member, data.ConsumeIntegralInRange(0, 9));
  }
  if (data.ConsumeBool()) file.append(data.ConsumeIntegralInRange<std::size_t>(0, 600), '\0');
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
  std::string bytes = data.ConsumeBool() ? "\x1f\x8b\x08" : "";
  bytes += data.ConsumeRandomLengthString();
  const MemoryFile stored(bytes);
  if (const auto read = read_pieces(data, stored.path()); !read) expect_sound(read.error());
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  if (data.ConsumeBool()) {
    packscope_fuzz::expect_members_come_back(data);
  } else {
    packscope_fuzz::expect_an_answer(data);
  }
  return 0;
}
