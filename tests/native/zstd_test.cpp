// SPDX-License-Identifier: MIT
// zstd input: frames of every kind come back whole, and what is cut or damaged is an error that names the
// file.
#include <gtest/gtest.h>
#include <zstd.h>

#include <string>

#include "input/byte_source.hpp"
#include "temporary_file.hpp"

namespace packscope::native {
namespace {

std::string compressed(const std::string& text) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

// Of several blocks, and longer than the buffers between.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 100'003) + " ";
  return text;
}

Result<std::string> read(const std::string& bytes) {
  const TemporaryFile file(bytes, ".input");
  Result<ByteSource> source = ByteSource::open(file.path());
  if (!source) return source.error();
  return read_all(*source, {});
}

TEST(Zstd, ReadsFramesOneAfterAnother) {
  const std::string text = long_text();
  const Result<std::string> back = read(compressed(text) + compressed("") + compressed("end"));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(*back == text + "end");
}

TEST(Zstd, SkipsFramesThatHoldNoData) {
  const std::string skippable("\x5e\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
  const Result<std::string> back = read(skippable + compressed("text") + skippable);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, "text");
}

TEST(Zstd, RefusesEveryCut) {
  const std::string whole = compressed("first") + compressed("second");
  const std::size_t first = compressed("first").size();
  for (std::size_t size = 4; size < whole.size(); ++size) {
    EXPECT_EQ(bool(read(whole.substr(0, size))), size == first) << size;
  }
}

TEST(Zstd, NamesTheFileAndWhatIsWrong) {
  const std::string whole = compressed(long_text());
  std::string damaged = whole;
  damaged[damaged.size() - 1] = static_cast<char>(damaged.back() ^ 1);  // of the checksum
  const std::pair<std::string, const char*> cases[] = {{whole.substr(0, 1000), "ends inside frame 1"},
                                                       {whole + "more", "follows zstd frame 1"},
                                                       {damaged, "damaged zstd data"}};
  for (const auto& [bytes, words] : cases) {
    const Result<std::string> back = read(bytes);
    ASSERT_FALSE(back) << words;
    EXPECT_NE(back.error().message.find(".input: "), std::string::npos) << back.error().message;
    EXPECT_NE(back.error().message.find(words), std::string::npos) << back.error().message;
  }
}

}  // namespace
}  // namespace packscope::native
