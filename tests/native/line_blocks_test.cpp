// SPDX-License-Identifier: MIT
// Several threads read a file of lines as one does: the same documents, and the same words on its faults.
#include "input/line_blocks.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "input/read_input.hpp"
#include "packscope/concat.hpp"
#include "temporary_file.hpp"
#include "token_ids.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;  // as LineBlockReader has it
constexpr const char* kNested = R"({"t":"nested","list":[],"s":"c"})";

// Flat records of all lengths with blank lines and both line ends, more than a few blocks.
std::string text_lines(std::size_t size) {
  std::string lines;
  for (std::size_t i = 0; lines.size() < size; ++i) {
    lines += concat(R"({"t":")", std::string(i * 7919 % 3000, 'a'), i % 3 == 0 ? "\\n" : "", R"(","s":")",
                    i % 2 == 0 ? "a" : "b", "\"}", i % 5 == 0 ? "\r\n" : "\n");
    if (i % 100 == 0) lines += " \n";
  }
  return lines;
}

ReadOptions text_options(unsigned threads) {
  ReadOptions options;
  options.text_fields = {"t"};
  options.source_field = "s";
  options.threads = threads;
  return options;
}

void expect_same_with_threads(const std::string& bytes) {
  const TemporaryFile file(bytes);
  const std::string paths[] = {file.path()};
  const Result<CorpusData> one = read_input(paths, text_options(1), {});
  const Result<CorpusData> more = read_input(paths, text_options(3), {});
  ASSERT_TRUE(one) << one.error().message;
  ASSERT_TRUE(more) << more.error().message;
  EXPECT_GT(one->document_count(), 0u);
  EXPECT_TRUE(more->document_offsets == one->document_offsets);
  EXPECT_TRUE(ids_of(more->tokens.view()) == ids_of(one->tokens.view()));
  EXPECT_EQ(more->source_names, one->source_names);
  EXPECT_TRUE(more->sources == one->sources);
  EXPECT_EQ(more->repairs.blank_lines, one->repairs.blank_lines);
  EXPECT_EQ(more->repairs.crlf_line_ends, one->repairs.crlf_line_ends);
  EXPECT_EQ(more->repairs.byte_order_marks, one->repairs.byte_order_marks);
}

Error error_with(unsigned threads, const std::string& path) {
  const std::string paths[] = {path};
  const Result<CorpusData> corpus = read_input(paths, text_options(threads), {});
  EXPECT_FALSE(corpus);
  return corpus ? Error() : corpus.error();
}

TEST(LineBlocks, HoldWhatOneReaderReads) {
  const std::string lines = text_lines(5 * kBlockBytes);
  expect_same_with_threads(lines);
  expect_same_with_threads(concat("\xef\xbb\xbf", lines, R"({"t":"no end","s":"a"})"));
  expect_same_with_threads(
      concat(lines, R"({"t":")", std::string(3 * kBlockBytes, 'x'), "\",\"s\":\"long\"}\n", lines));
}

TEST(LineBlocks, MayHoldRecordsForTheParser) {
  const std::string lines = text_lines(3 * kBlockBytes);
  for (const char* end : {"\n", ""})
    expect_same_with_threads(concat(lines, kNested, "\n", lines, kNested, end));
}

TEST(LineBlocks, EndWhereTheFileDoes) {
  const std::string record = R"({"t":"","s":"a"})";
  for (const std::size_t size : {kBlockBytes, 2 * kBlockBytes}) {
    for (const std::string end : {"", "\n"}) {
      const std::string first =
          concat(R"({"t":")", std::string(size - 2 * record.size() - 1 - end.size(), 'x'), R"(","s":"a"})");
      const std::string bytes = concat(first, "\n", record, end);
      ASSERT_EQ(bytes.size(), size);
      expect_same_with_threads(bytes);
    }
  }
}

TEST(LineBlocks, NameTheLineThatIsWrong) {
  const std::string lines = text_lines(3 * kBlockBytes);
  for (const char* wrong : {"broken", R"({"t":1,"s":"a"})", "\xef\xbb\xbf{\"t\":\"\",\"s\":\"a\"}"}) {
    for (const std::string& bytes :
         {concat(lines, wrong, "\n", lines), concat(lines, kNested, "\n", lines, wrong)}) {
      const TemporaryFile file(bytes);
      const Error one = error_with(1, file.path());
      const Error more = error_with(3, file.path());
      EXPECT_EQ(more.message, one.message);
      EXPECT_EQ(more.document, one.document);
    }
  }
}

TEST(LineBlocks, NameTheIdThatIsTooLarge) {
  std::string lines;
  while (lines.size() < 2 * kBlockBytes)
    lines += R"({"input_ids":[1,2,3]})"
             "\n\n";
  const TemporaryFile file(concat(lines, R"({"input_ids":[1,70000]})", "\n", lines));
  const std::string paths[] = {file.path()};
  std::vector<Error> errors;
  for (const unsigned threads : {1u, 3u}) {
    ReadOptions options;
    options.vocab_size = 60'000;
    options.threads = threads;
    const Result<CorpusData> corpus = read_input(paths, options, {});
    ASSERT_FALSE(corpus);
    errors.push_back(corpus.error());
  }
  EXPECT_EQ(errors[1].message, errors[0].message);
  EXPECT_EQ(errors[1].document, errors[0].document);
  EXPECT_GT(errors[0].document, 1000u);
}

TEST(LineBlocks, AreMappedUntilThatIsStopped) {
  const std::string bytes = text_lines(4 * kBlockBytes);
  const TemporaryFile file(bytes);
  Result<ByteSource> source = ByteSource::open(file.path());
  ASSERT_TRUE(source);
  source->prefer_mapping();
  LineBlockReader reader(std::move(*source));
  std::string read;
  LineBlock block;
  for (std::size_t i = 0; *reader.next(block); ++i) {
    EXPECT_EQ(block.is_mapped, i < 2);
    EXPECT_EQ(block.is_first, i == 0);
    EXPECT_TRUE(block.lines.ends_with('\n'));
    read += block.lines;
    if (i == 1) reader.stop_mapping();
  }
  EXPECT_TRUE(read == bytes);
  EXPECT_EQ(block.share, 1.0);
}

TEST(LineBlocks, SayThatTheFileBecameShorter) {
  const TemporaryFile file(text_lines(4 * kBlockBytes));
  Result<ByteSource> source = ByteSource::open(file.path());
  ASSERT_TRUE(source);
  source->prefer_mapping();
  LineBlockReader reader(std::move(*source));
  LineBlock block;
  ASSERT_TRUE(*reader.next(block));
  std::filesystem::resize_file(file.path(), 2 * kBlockBytes);
  const Result<bool> next = reader.next(block);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().message, file.path() + ": the file became shorter while it was read");
}

}  // namespace
}  // namespace packscope::native
