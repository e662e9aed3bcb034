// SPDX-License-Identifier: MIT
// .npy: header versions, dtypes, and files that do not hold what they say.
#include "files/npy.hpp"

#include <gtest/gtest.h>

#include "input/read_input.hpp"
#include "temporary_file.hpp"

namespace packscope::native {
namespace {

using namespace std::string_literals;

// A file of one dimension with the given header version.
std::string npy_file(char version, const std::string& descr, std::size_t count, const std::string& values) {
  const std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }\n";
  std::string bytes = "\x93NUMPY"s + version + '\0';
  bytes += static_cast<char>(header.size());
  bytes += version == 1 ? "\0"s : "\0\0\0"s;
  return bytes + header + values;
}

Result<CorpusData> read_file(const std::string& bytes) {
  const TemporaryFile file(bytes, ".npy");
  const std::string paths[] = {file.path()};
  return read_input(paths, {}, {});
}

TEST(NpyLengths, ReadsEveryHeaderVersion) {
  for (const char version : {'\1', '\2', '\3'}) {
    Result<CorpusData> corpus = read_file(npy_file(version, "<i4", 2, "\3\0\0\0\7\0\0\0"s));
    ASSERT_TRUE(corpus) << corpus.error().message;
    EXPECT_EQ(corpus->document_offsets, (std::vector<std::uint64_t>{0, 3, 10}));
    EXPECT_FALSE(corpus->tokens_known);
  }
}

TEST(NpyLengths, ReadsEveryIntegerTypeInBothByteOrders) {
  const std::pair<std::string, std::string> files[] = {{"|u1", "\7"s},
                                                       {"|i1", "\7"s},
                                                       {"<u2", "\7\0"s},
                                                       {">u2", "\0\7"s},
                                                       {"<i8", "\7\0\0\0\0\0\0\0"s},
                                                       {">i8", "\0\0\0\0\0\0\0\7"s},
                                                       {">u4", "\0\0\0\7"s},
                                                       {"=u4", "\7\0\0\0"s}};
  for (const auto& [descr, values] : files) {
    Result<CorpusData> corpus = read_file(npy_file('\1', descr, 1, values));
    ASSERT_TRUE(corpus) << descr << ": " << corpus.error().message;
    EXPECT_EQ(corpus->token_count(), 7u) << descr;
  }
}

TEST(NpyLengths, KeepsLengthsAbove65535) {
  Result<CorpusData> corpus = read_file(npy_file('\1', "<u4", 1, "\0\0\2\0"s));
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_EQ(corpus->token_count(), 131072u);
}

TEST(NpyLengths, RefusesWhatIsNoLength) {
  const std::pair<std::string, std::string> files[] = {
      {npy_file('\1', "<i4", 1, "\xff\xff\xff\xff"s), "is negative"},
      {npy_file('\1', "<u8", 1, "\0\0\0\0\1\0\0\0"s), "is too large"},
      {npy_file('\1', "<f8", 1, "\0\0\0\0\0\0\0\0"s), "must be integers"},
      {npy_file('\1', "<i4", 2, "\3\0\0\0"s), "too early"},
      {npy_file('\1', "<i4", 1, "\3\0\0\0\4\0\0\0"s), "more bytes follow"},
      {"\x93NUMPY\1\0\4\0(1,)"s, "malformed"}};
  for (const auto& [bytes, expected] : files) {
    Result<CorpusData> corpus = read_file(bytes);
    ASSERT_FALSE(corpus) << expected;
    EXPECT_NE(corpus.error().message.find(expected), std::string::npos) << corpus.error().message;
  }
}

TEST(NpyHeader, IsAlwaysOfTheSameSize) {
  EXPECT_EQ(npy_header({"<i4", false, {0, 1}}).size(), kNpyHeaderBytes);
  EXPECT_EQ(npy_header({"<u8", false, {UINT64_MAX, UINT64_MAX}}).size(), kNpyHeaderBytes);
}

}  // namespace
}  // namespace packscope::native
