// SPDX-License-Identifier: MIT
// JSON lines: exact bytes, line ends, long lines, and fields that travel with the tokens.
#include <gtest/gtest.h>

#include "input/read_input.hpp"
#include "packscope/concat.hpp"
#include "temporary_file.hpp"
#include "token_ids.hpp"

namespace packscope::native {
namespace {

Result<CorpusData> read_text(std::string_view bytes, ReadOptions options = {}) {
  const TemporaryFile file(bytes);
  const std::string paths[] = {file.path()};
  return read_input(paths, options, {});
}

std::string text_of(const CorpusData& corpus) {
  std::string text;
  for (const std::int32_t token : ids_of(corpus.tokens.view())) text += static_cast<char>(token);
  return text;
}

TEST(JsonLines, UnescapesToExactUtf8) {
  ReadOptions options;
  options.text_fields = {"t"};
  Result<CorpusData> corpus = read_text(R"({"t":"\u0000\u00e9\u20ac\ud83d\ude00\"\\\/\b\f\n\r\t"})", options);
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_EQ(text_of(*corpus), std::string("\0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\\/\b\f\n\r\t", 18));
}

TEST(JsonLines, RefusesHalfASurrogatePair) {
  ReadOptions options;
  options.text_fields = {"t"};
  for (const char* line :
       {R"({"t":"\ud800"})", R"({"t":"\udc00"})", R"({"t":"\ud800\u0041"})", R"({"t":"\ud800x"})"}) {
    EXPECT_FALSE(read_text(line, options)) << line;
  }
}

// Lines longer than the reader's buffer, and ends that fall on its edges.
TEST(JsonLines, ReadsLinesOfEveryLengthAroundTheBuffer) {
  ReadOptions options;
  options.text_fields = {"t"};
  for (const std::size_t length :
       {std::size_t{1} << 20, (std::size_t{1} << 20) - 9, (std::size_t{3} << 20) + 1}) {
    const std::string first(length, 'x');
    Result<CorpusData> corpus = read_text("{\"t\":\"" + first + "\"}\r\n{\"t\":\"end\"}", options);
    ASSERT_TRUE(corpus) << corpus.error().message;
    EXPECT_EQ(corpus->document_offsets, (std::vector<std::uint64_t>{0, length, length + 3}));
    EXPECT_EQ(corpus->repairs.crlf_line_ends, 1u);
  }
}

TEST(JsonLines, WidensFieldsOnlyAsFarAsNeeded) {
  Result<CorpusData> corpus = read_text(
      R"({"input_ids":[1,2],"flag":[true,false],"small":[1,-1],"wide":[1,5000000000],"real":[1,0.5]})");
  ASSERT_TRUE(corpus) << corpus.error().message;
  ASSERT_EQ(corpus->fields.size(), 4u);
  EXPECT_EQ(corpus->fields[0].dtype, DType::uint8);
  EXPECT_EQ(corpus->fields[1].dtype, DType::float64);
  EXPECT_EQ(corpus->fields[2].dtype, DType::int32);
  EXPECT_EQ(corpus->fields[3].dtype, DType::int64);
}

TEST(JsonLines, NamesTheFieldThatStopsBeingAligned) {
  for (const char* second :
       {R"({"input_ids":[1,2],"r":[1]})", R"({"input_ids":[1,2]})", R"({"input_ids":[1,2],"r":null})",
        R"({"input_ids":[1,2],"r":[1,null]})", R"({"input_ids":[1,2],"r":[1,2],"r":[1,2]})"}) {
    Result<CorpusData> corpus = read_text(concat(R"({"input_ids":[1],"r":[1]})", "\n", second));
    ASSERT_FALSE(corpus) << second;
    EXPECT_NE(corpus.error().message.find(":2: "), std::string::npos) << corpus.error().message;
    EXPECT_NE(corpus.error().message.find("'r'"), std::string::npos) << corpus.error().message;
  }
}

TEST(JsonLines, IgnoresListsThatAreNeverAligned) {
  Result<CorpusData> corpus = read_text("{\"input_ids\":[1,2],\"tags\":[1]}\n{\"input_ids\":[],\"tags\":[]}");
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_TRUE(corpus->fields.empty());
}

// A list makes a record one for the parser; without it the short way reads it.
TEST(JsonLines, ReadsFlatRecordsAsTheParserDoes) {
  ReadOptions options;
  options.prompt_field = "q";
  options.completion_field = "a";
  options.text_join = "--";
  options.source_field = "s";
  const std::string flat = R"({"s":"web","a":"\u00e9 \"x\"","n":-1.5,"q":"one\ntwo"})";
  const Result<CorpusData> scanned = read_text(flat, options);
  const Result<CorpusData> parsed = read_text(flat.substr(0, flat.size() - 1) + R"(,"list":[]})", options);
  ASSERT_TRUE(scanned) << scanned.error().message;
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(text_of(*scanned), "one\ntwo--\xc3\xa9 \"x\"");
  EXPECT_EQ(ids_of(scanned->tokens.view()), ids_of(parsed->tokens.view()));
  EXPECT_EQ(scanned->document_offsets, parsed->document_offsets);
  EXPECT_EQ(scanned->prompt_lengths, (std::vector<std::uint32_t>{9}));
  EXPECT_EQ(scanned->prompt_lengths, parsed->prompt_lengths);
  EXPECT_EQ(scanned->source_names, (std::vector<std::string>{"web"}));
}

// Flat or not, behind blank lines, with either line end and with none at the end of the file.
TEST(JsonLines, ReadsLinesOfAllKindsInTurn) {
  ReadOptions options;
  options.text_fields = {"t"};
  options.keep_records = true;
  const std::string flat = R"({"t":"flat"})";
  const std::string nested = R"({"t":"nested","list":[]})";
  for (const std::string& last : {flat, nested}) {
    const std::string lines =
        concat("\xef\xbb\xbf", flat, "\n\n \r\n", nested, "\r\n", flat, "\r\n", nested, "\n", last);
    const Result<CorpusData> corpus = read_text(lines, options);
    ASSERT_TRUE(corpus) << corpus.error().message;
    EXPECT_EQ(text_of(*corpus), concat("flatnestedflatnested", last == flat ? "flat" : "nested"));
    EXPECT_EQ(corpus->records.bytes, concat(flat, nested, flat, nested, last));
    EXPECT_EQ(corpus->repairs.blank_lines, 2u);
    EXPECT_EQ(corpus->repairs.crlf_line_ends, 3u);
    EXPECT_EQ(corpus->repairs.byte_order_marks, 1u);
  }
}

TEST(JsonLines, RefusesInFlatRecordsWhatTheParserRefuses) {
  ReadOptions options;
  options.text_fields = {"t"};
  options.source_field = "s";
  for (const char* line :
       {R"({"t":"a","s":"web","t":"b"})", R"({"t":"a","s":"web","\u0074":"b"})", R"({"t":1,"s":"web"})",
        R"({"s":"web"})", R"({"t":"a","s":""})", R"({"t":"a","s":1})", R"({"t":"a","s":"web"}})",
        "{\"t\":\"\xff\",\"s\":\"web\"}"}) {
    const Result<CorpusData> corpus = read_text(line, options);
    ASSERT_FALSE(corpus) << line;
    EXPECT_NE(corpus.error().message.find(":1: "), std::string::npos) << corpus.error().message;
  }
}

TEST(JsonLines, CountsTokensThatItDoesNotKeep) {
  ReadOptions texts;
  texts.text_fields = {"t", "u"};
  texts.lengths_only = true;
  const Result<CorpusData> flat = read_text(R"({"t":"\u00e9a","u":"b"})", texts);
  const Result<CorpusData> nested = read_text(R"({"t":"\u00e9a","u":"b","x":{}})", texts);
  ReadOptions ids;
  ids.lengths_only = true;
  ids.loss_mask_field = "m";
  const Result<CorpusData> masked = read_text(R"({"input_ids":[1,2],"m":[0,1]})", ids);
  for (const auto* corpus : {&flat, &nested, &masked}) {
    ASSERT_TRUE(*corpus) << corpus->error().message;
    EXPECT_FALSE((*corpus)->tokens_known);
    EXPECT_TRUE((*corpus)->tokens.empty());
  }
  EXPECT_EQ(flat->document_offsets, (std::vector<std::uint64_t>{0, 5}));
  EXPECT_EQ(nested->document_offsets, flat->document_offsets);
  EXPECT_EQ(masked->document_offsets, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(masked->loss_mask, (Buffer<std::uint8_t>{0, 1}));
}

TEST(JsonLines, ChecksTokensThatItDoesNotKeep) {
  ReadOptions options;
  options.lengths_only = true;
  EXPECT_FALSE(read_text(R"({"input_ids":[1,-2]})", options));
  options.vocab_size = 10;
  EXPECT_FALSE(read_text(R"({"input_ids":[1,10]})", options));
  options.labels_field = "l";
  EXPECT_FALSE(read_text(R"({"input_ids":[1,2],"l":[-100,3]})", options));
  EXPECT_TRUE(read_text(R"({"input_ids":[1,2],"l":[-100,2]})", options));
}

TEST(JsonLines, StopsAtTheLimitBeforeALaterFault) {
  ReadOptions options;
  options.limit_documents = 1;
  Result<CorpusData> corpus = read_text("{\"input_ids\":[1]}\nbroken", options);
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_EQ(corpus->document_count(), 1u);
}

TEST(JsonLines, AnEmptyFileHasNoDocuments) {
  Result<CorpusData> corpus = read_text("");
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_EQ(corpus->document_count(), 0u);
}

}  // namespace
}  // namespace packscope::native
