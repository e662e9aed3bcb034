// SPDX-License-Identifier: MIT
// Flat records are found as a JSON parser finds them, whatever stands where in a block of the scan.
#include "input/flat_record.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <random>

#include "cpp/every_target.hpp"
#include "input/plain_run.hpp"
#include "token_ids.hpp"

namespace packscope::native {
namespace {

struct Scanned {
  bool flat = false;
  std::vector<std::string> keys;
  std::vector<std::string> strings;
};

Scanned scan(const std::string& line) {
  const std::string padded = line + std::string(kFlatPaddingBytes, '"');
  std::vector<FlatField> fields;
  Scanned scanned;
  scanned.flat = scan_flat_record(std::string_view(padded).substr(0, line.size()), fields);
  for (const FlatField& field : fields) {
    scanned.keys.emplace_back(field.key);
    if (!field.is_string) continue;
    TokenStore tokens;
    append_bytes_of(field.string, tokens);
    EXPECT_EQ(tokens.size(), field.string.byte_count) << line;
    scanned.strings.emplace_back(tokens.narrow().begin(), tokens.narrow().end());
    TokenStore among_wide;
    among_wide.wide().push_back(256);
    append_bytes_of(field.string, among_wide);
    EXPECT_EQ(ids_of(among_wide.view().subspan(1, tokens.size())), ids_of(tokens.view())) << line;
  }
  return scanned;
}

std::string parsed(const std::string& line) {
  simdjson::dom::parser parser;
  return std::string(parser.parse(line)["t"].get_string().value());
}

// Around the ends of blocks of 64 bytes and of words of 8.
void expect_same_as_parser(const std::string& instructions) {
  SCOPED_TRACE(instructions);
  for (const char* part :
       {"x", "\\n", "\\\"", "\\\\", "\\/", "\\t", "\\r", "\\b", "\\u0041", "\\u00e9", "\\u20AC",
        "\\ud83d\\ude00", "\\u0000", "\\\\\\\\\\\"", "\xc3\xa9", "\xf0\x9f\x98\x80", "\x7f"}) {
    for (std::size_t before = 0; before < 140; ++before) {
      const std::string line =
          R"({"t":")" + std::string(before, 'a') + part + std::string(before % 7, 'b') + "\"}";
      const Scanned scanned = scan(line);
      ASSERT_TRUE(scanned.flat) << line;
      ASSERT_EQ(scanned.strings, std::vector<std::string>{parsed(line)}) << line;
    }
  }
}

TEST(FlatRecord, UnescapesAtEveryPlaceAsAParserDoes) { on_every_target(expect_same_as_parser); }

TEST(FlatRecord, RefusesWhatNoStringMayHoldAtEveryPlace) {
  for (const char* part : {"\x1f", "\t", "\\x", "\\u12g4", "\\ud83d", "\\ud83d\\u0041", "\\ude00", "\\",
                           "\xff", "\xc3", "\xed\xa0\x80", "\xc0\x80"}) {
    for (std::size_t before = 0; before < 140; ++before) {
      const std::string line = R"({"t":")" + std::string(before, 'a') + part + "\"}";
      ASSERT_FALSE(scan(line).flat) << line;
    }
  }
}

TEST(FlatRecord, TakesPlainValues) {
  const Scanned scanned = scan(R"( {"a" : -12 ,"b":0.25,"c":null, "d":true,"e": false,"f":"","g" : "h" } )");
  EXPECT_TRUE(scanned.flat);
  EXPECT_EQ(scanned.keys, (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_EQ(scanned.strings, (std::vector<std::string>{"", "h"}));
  EXPECT_TRUE(scan("{}").flat);
}

// Each is for the parser: valid but not flat, or wrong.
TEST(FlatRecord, LeavesTheRestToTheParser) {
  for (const char* line : {"",
                           "{",
                           "[]",
                           "1",
                           R"({"a":[1]})",
                           R"({"a":{}})",
                           R"({"a":1e5})",
                           R"({"a":1234567890123456789})",
                           R"({"a":01})",
                           R"({"a":-})",
                           R"({"a":1.})",
                           R"({"a":.5})",
                           R"({"a":+1})",
                           R"({"a":NaN})",
                           R"({"a":nulls})",
                           R"({"a":tru)",
                           R"({"a" 1})",
                           R"({"a":})",
                           R"({"a":1,})",
                           R"({,"a":1})",
                           R"({"a":1}})",
                           R"({"a":1} {})",
                           R"({"a":1 "b":2})",
                           R"({a:1})",
                           R"({"\u0061":1})",
                           R"({"a":")",
                           R"({"a)",
                           R"({"a":"b})",
                           R"({"a":"b\"})",
                           R"({"a":1)",
                           "{\"a\":\"b\"}\x01"}) {
    EXPECT_FALSE(scan(line).flat) << line;
  }
}

// How much of `bytes` its first line is, if it is flat.
std::size_t flat_line_bytes(const std::string& bytes) {
  const std::string padded = bytes + std::string(kFlatPaddingBytes, '\n');  // that must not count
  std::vector<FlatField> fields;
  return scan_flat_line(std::string_view(padded).substr(0, bytes.size()), fields);
}

TEST(FlatRecord, FindsTheEndOfItsLineAtEveryPlace) {
  for (std::size_t length = 0; length < 140; ++length) {
    const std::string record = R"({"t":")" + std::string(length, 'a') + R"(","n":1} )";
    ASSERT_EQ(flat_line_bytes(record + "\n" + record), record.size() + 1);
    ASSERT_EQ(flat_line_bytes(record + "\r\n"), record.size() + 2);
    for (std::size_t size = 0; size <= record.size(); ++size) {
      ASSERT_EQ(flat_line_bytes(record.substr(0, size)), 0u) << "the line goes on";
    }
    ASSERT_EQ(flat_line_bytes(record + "\r"), 0u) << "the line feed is to come";
  }
}

TEST(FlatRecord, TakesNoMoreThanALine) {
  for (const char* lines :
       {"\n{\"a\":1}\n", "{\n\"a\":1}\n", "{\"a\"\n:1}\n", "{\"a\":1\n}\n", "{\"a\":\"\n\"}\n",
        "{\"a\":1}\r\r\n", "{\"a\":1}\r{\"a\":1}\n", "{\"a\":1}{\"a\":1}\n", "{\"a\":[]}\n"}) {
    EXPECT_EQ(flat_line_bytes(lines), 0u) << lines;
  }
  EXPECT_EQ(flat_line_bytes("{\"a\":\"\xff\"}\n"), 0u);
  EXPECT_EQ(flat_line_bytes("{\"a\":\"b\"}\n\xff"), 10u) << "the next line is not looked at";
}

// As where others write to the file: fewer bytes are counted than are found on copying.
TEST(FlatRecord, KeepsToTheBytesCountedWhereAStringHasChanged) {
  const std::string now = std::string(1000, 'a') + std::string(kFlatPaddingBytes, '\\');
  TokenStore tokens;
  append_bytes_of({std::string_view(now).substr(0, 1000), 3}, tokens);
  EXPECT_EQ(ids_of(tokens.view()), (std::vector<std::int32_t>{'a', 'a', 'a'}));
}

// A number that is not taken must not count as read (found by fuzzing: 18446744073709551616true was a value).
TEST(FlatRecord, RefusesTwoValuesInOne) {
  const std::vector<std::string> words = {"null", "true", "false"};
  const std::vector<std::string> numbers = {"1", "-1", "-", "01", "1.", "0.5", "1e5", "1234567890123456789"};
  for (const std::string& word : words) {
    for (const std::string& number : numbers) {
      EXPECT_FALSE(scan("{\"a\":" + number + word + "}").flat) << number << word;
      EXPECT_FALSE(scan("{\"a\":" + word + number + "}").flat) << word << number;
    }
    for (const std::string& other : words)
      EXPECT_FALSE(scan("{\"a\":" + word + other + "}").flat) << word << other;
  }
}

void expect_same_end_as_scalar(const std::string& instructions) {
  SCOPED_TRACE(instructions);
  for (std::size_t plain = 0; plain < 200; ++plain) {
    for (const char* stop : {"\"", "\x01", "\\x", "\\u12g4", "\\u123\"", "\\ud83d", "\\uD83Dx", "\\ude00"}) {
      const std::string text = std::string(plain, 'a') + stop + std::string(kPlainRunPadding, 'b');
      const char* const end = text.data() + plain + 1;
      const PlainRun run = skip_plain(text.data(), end);
      const PlainRun scalar = skip_plain_scalar(text.data(), end);
      ASSERT_EQ(run.end - text.data(), static_cast<std::ptrdiff_t>(plain));
      ASSERT_EQ(scalar.end, run.end);
      ASSERT_TRUE(run.ascii && scalar.ascii);
    }
  }
}

TEST(PlainRun, GoesAsFarWithSimdAsWithout) { on_every_target(expect_same_end_as_scalar); }

// Parts in any order, so that escapes stand at every place of a block, beside each other and across its end.
void expect_same_bytes_as_scalar(const std::string& instructions) {
  SCOPED_TRACE(instructions);
  struct Part {
    std::string escaped, plain;
  };
  const std::vector<Part> parts = {{"a", "a"},
                                   {"\xc3\xa9", "\xc3\xa9"},
                                   {"\\n", "\n"},
                                   {"\\\\", "\\"},
                                   {"\\\"", "\""},
                                   {"\\t", "\t"},
                                   {"\\/", "/"},
                                   {"\\r", "\r"},
                                   {"\\b", "\b"},
                                   {"\\f", "\f"},
                                   {"\\u0000", std::string(1, '\0')},
                                   {"\\u00e9", "\xc3\xa9"},
                                   {"\\u007F", "\x7f"},
                                   {"\\u0080", "\xc2\x80"},
                                   {"\\u07ff", "\xdf\xbf"},
                                   {"\\u0800", "\xe0\xa0\x80"},
                                   {"\\ud7ff", "\xed\x9f\xbf"},
                                   {"\\uE000", "\xee\x80\x80"},
                                   {"\\uFffF", "\xef\xbf\xbf"},
                                   {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
                                   {std::string(60, 'b'), std::string(60, 'b')},
                                   {std::string(130, 'c'), std::string(130, 'c')}};
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string escaped, plain;
    for (auto left = random() % 12; left > 0; --left) {
      const Part& part = parts[random() % parts.size()];
      escaped += part.escaped;
      plain += part.plain;
    }
    // As tight as it may be, for the sanitizers; behind the string stands anything.
    const std::string padded = escaped + '"' + std::string(kPlainRunPadding, '\\');
    const char* const end = padded.data() + escaped.size();
    for (const auto skip : {skip_plain, skip_plain_scalar}) {
      const PlainRun run = skip(padded.data(), end + 1);
      ASSERT_EQ(run.end - padded.data(), end - padded.data()) << escaped;
      ASSERT_EQ(run.saved_bytes, escaped.size() - plain.size()) << escaped;
    }
    for (const auto copy : {copy_unescaped, copy_unescaped_scalar}) {
      std::vector<std::uint8_t> bytes(plain.size() + kUnescapePadding);
      const std::uint8_t* const last = copy(padded.data(), end, bytes.data());
      ASSERT_EQ(last - bytes.data(), static_cast<std::ptrdiff_t>(plain.size())) << escaped;
      ASSERT_TRUE(std::equal(plain.begin(), plain.end(), bytes.begin(), [](char a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a) == b;
      })) << escaped;
    }
  }
}

TEST(PlainRun, SkipsAndCopiesWithSimdAsWithout) { on_every_target(expect_same_bytes_as_scalar); }

TEST(PlainRun, SeesBytesThatAreNoAscii) {
  for (std::size_t before = 0; before < 140; ++before) {
    const std::string text = std::string(before, 'a') + "\xc3\xa9\"" + std::string(kPlainRunPadding, 'b');
    const char* const end = text.data() + before + 3;
    ASSERT_FALSE(skip_plain(text.data(), end).ascii);
    ASSERT_FALSE(skip_plain_scalar(text.data(), end).ascii);
  }
}

}  // namespace
}  // namespace packscope::native
