// SPDX-License-Identifier: MIT
// Lines given in the mapped file are those that reading it gives, whatever becomes of the file meanwhile.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "files/mapped_window.hpp"
#include "input/line_reader.hpp"
#include "packscope/concat.hpp"
#include "temporary_file.hpp"

namespace packscope::native {
namespace {

constexpr std::size_t kWindowBytes = 2 << 20;  // as LineReader has it
constexpr std::uint64_t kAnyNumber = 0x9e3779b97f4a7c15;

struct Lines {
  std::vector<std::string> lines;
  std::string error;
  bool ended_mapped = false;
};

LineReader open_lines(const std::string& path, Repairs& repairs) {
  Result<ByteSource> source = ByteSource::open(path, &repairs);
  EXPECT_TRUE(source) << source.error().message;
  source->prefer_mapping();
  return LineReader(std::move(*source), repairs, {});
}

std::string next_of(LineReader& lines) {
  const Result<std::optional<std::string_view>> line = lines.next();
  return !line ? line.error().message : *line ? std::string(**line) : "<end>";
}

Lines rest_of(LineReader& lines) {
  Lines read;
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line) read.error = line.error().message;
    if (!line || !*line) break;
    read.lines.emplace_back(**line);
  }
  read.ended_mapped = lines.is_mapped();
  return read;
}

// Of `size` bytes with lines of all lengths, the last of which has no end.
std::string many_lines(std::size_t size, std::size_t longest) {
  std::string bytes;
  std::uint64_t number = kAnyNumber;
  while (bytes.size() < size) {
    number = number * 6364136223846793005u + 1442695040888963407u;
    bytes.append(number % longest, static_cast<char>('a' + number % 26));
    bytes += number % 5 == 0 ? "\r\n" : "\n";
  }
  bytes.resize(size);
  bytes.back() = 'z';
  return bytes;
}

std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    lines.push_back(bytes.substr(begin, end - begin));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    begin = end + 1;
  }
  return lines;
}

void cut(const std::string& path, std::size_t size) { std::filesystem::resize_file(path, size); }

std::size_t file_bytes_in_memory() {
  std::size_t total = 0, resident = 0, of_files = 0;
  std::ifstream("/proc/self/statm") >> total >> resident >> of_files;
  return of_files * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// No new memory while this lives.
class NoMoreMemory {
 public:
  NoMoreMemory() {
    getrlimit(RLIMIT_AS, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_AS, &none);
  }
  NoMoreMemory(const NoMoreMemory&) = delete;
  ~NoMoreMemory() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

TEST(MappedWindow, ShowsAnyPieceAndCanBeReadBehindIt) {
  const std::string bytes = many_lines(100'000, 300);
  const TemporaryFile file(bytes);
  std::FILE* const open = std::fopen(file.path().c_str(), "rb");
  MappedWindow window;
  for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, std::size_t{50'000}, std::size_t{100}}) {
    for (const std::size_t begin :
         {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{8192}, bytes.size() - size}) {
      const auto shown = window.show(fileno(open), begin, size);
      ASSERT_TRUE(shown);
      EXPECT_EQ(*shown, std::string_view(bytes).substr(begin, size));
      std::string behind(shown->data() + size, MappedWindow::kPaddingBytes);  // does not fault
      EXPECT_EQ(behind.size(), MappedWindow::kPaddingBytes);
    }
  }
  std::fclose(open);
  EXPECT_FALSE(window.show(-1, 0, 1));
}

TEST(MappedLines, AreThoseOfTheFile) {
  for (const std::size_t size :
       {std::size_t{1} << 20, kWindowBytes - 1, kWindowBytes, kWindowBytes + 1, 2 * kWindowBytes,
        kWindowBytes - 4096, kWindowBytes + 4096, 2 * kWindowBytes + 12'345}) {
    for (const std::size_t longest : {std::size_t{900}, std::size_t{70'000}, kWindowBytes}) {
      std::string bytes = many_lines(size, longest);
      for (const char last : {'z', '\n'}) {
        bytes.back() = last;
        const TemporaryFile file(bytes);
        Repairs repairs;
        LineReader lines = open_lines(file.path(), repairs);
        ASSERT_TRUE(lines.is_mapped());
        const Lines read = rest_of(lines);
        ASSERT_TRUE(read.ended_mapped);
        ASSERT_EQ(read.error, "");
        ASSERT_TRUE(read.lines == lines_of(bytes)) << size << " bytes, lines up to " << longest;
        ASSERT_EQ(lines.place().line, read.lines.size());
        ASSERT_EQ(lines.share(), 1.0);
      }
    }
  }
}

TEST(MappedLines, MayBeLongerThanAWindow) {
  const std::string bytes = concat("first\n", std::string(5 * kWindowBytes, 'x'), "\r\nlast");
  const TemporaryFile file(bytes);
  Repairs repairs;
  LineReader lines = open_lines(file.path(), repairs);
  EXPECT_TRUE(rest_of(lines).lines == lines_of(bytes));
  EXPECT_EQ(repairs.crlf_line_ends, 1u);
}

TEST(MappedLines, BeginBehindAByteOrderMark) {
  const std::string bytes = many_lines(kWindowBytes, 100);
  const TemporaryFile file(concat("\xef\xbb\xbf", bytes));
  Repairs repairs;
  LineReader lines = open_lines(file.path(), repairs);
  ASSERT_TRUE(lines.is_mapped());
  EXPECT_TRUE(rest_of(lines).lines == lines_of(bytes));
  EXPECT_EQ(repairs.byte_order_marks, 1u);
}

TEST(MappedLines, AreReadFromFilesThatAreShortOrEmptyOrCompressed) {
  for (const std::string& bytes :
       {std::string(), std::string("a\nb"), std::string("\x1f\x8b") + many_lines(kWindowBytes, 99),
        std::string("\x28\xb5\x2f\xfd") + many_lines(kWindowBytes, 99)}) {
    const TemporaryFile file(bytes);
    Repairs repairs;
    EXPECT_FALSE(open_lines(file.path(), repairs).is_mapped());
  }
}

TEST(MappedLines, HoldLittleOfTheFileInMemory) {
  const std::string bytes = many_lines(12 * kWindowBytes, 500);
  const TemporaryFile file(bytes);
  Repairs repairs;
  LineReader lines = open_lines(file.path(), repairs);
  const std::size_t before = file_bytes_in_memory();
  std::size_t most = before;
  while (next_of(lines) != "<end>") {
    if (lines.place().line % 1000 == 0) most = std::max(most, file_bytes_in_memory());
  }
  ASSERT_TRUE(lines.is_mapped());
  EXPECT_LT(most - before, 2 * kWindowBytes);
}

TEST(MappedLines, GoOnInAFileThatGrows) {
  const std::string bytes = concat(std::string(kWindowBytes, 'a'), "\nb");
  const TemporaryFile file(bytes);
  Repairs repairs;
  LineReader lines = open_lines(file.path(), repairs);
  EXPECT_EQ(next_of(lines).size(), kWindowBytes);
  std::ofstream(file.path(), std::ios::binary | std::ios::app) << "c\nd\n"
                                                               << std::string(3 * kWindowBytes, 'e');
  EXPECT_EQ(next_of(lines), "bc");
  EXPECT_EQ(next_of(lines), "d");
  EXPECT_EQ(next_of(lines), std::string(3 * kWindowBytes, 'e'));
  EXPECT_EQ(next_of(lines), "<end>");
}

TEST(MappedLines, SayThatTheFileBecameShorter) {
  const TemporaryFile file(many_lines(4 * kWindowBytes, 500));
  for (const std::size_t size :
       {3 * kWindowBytes, kWindowBytes}) {  // in the windows to come, or none is left
    Repairs repairs;
    LineReader lines = open_lines(file.path(), repairs);
    EXPECT_NE(next_of(lines), "<end>");
    cut(file.path(), size);
    EXPECT_EQ(rest_of(lines).error, file.path() + ": the file became shorter while it was read");
  }
}

TEST(MappedLinesDeathTest, EndWithASignalWhereTheFileIsGoneBelowThem) {
  const TemporaryFile file(many_lines(kWindowBytes, 500));
  Repairs repairs;
  LineReader lines = open_lines(file.path(), repairs);
  EXPECT_NE(next_of(lines), "<end>");
  EXPECT_DEATH(
      {
        cut(file.path(), 0);
        rest_of(lines);
      },
      "");
}

TEST(MappedLines, AreReadWhereTheSystemDoesNotMap) {
  const std::string bytes = many_lines(2 * kWindowBytes, 500);
  const TemporaryFile file(bytes);
  Repairs repairs;
  LineReader lines = open_lines(file.path(), repairs);
  std::string first;
  {
    const NoMoreMemory none;
    first = next_of(lines);
  }
  EXPECT_FALSE(lines.is_mapped());
  std::vector<std::string> read = rest_of(lines).lines;
  read.insert(read.begin(), first);
  EXPECT_TRUE(read == lines_of(bytes));
}

TEST(MappedLines, AreReadOnWhereMappingIsStopped) {
  const std::string bytes = many_lines(3 * kWindowBytes, 500);
  const std::vector<std::string> all = lines_of(bytes);
  const TemporaryFile file(bytes);
  for (const std::size_t before : {std::size_t{1}, all.size() / 2, all.size() - 1}) {
    Repairs repairs;
    LineReader lines = open_lines(file.path(), repairs);
    for (std::size_t i = 0; i < before; ++i) ASSERT_EQ(next_of(lines), all[i]);
    lines.stop_mapping();
    for (std::size_t i = before; i < all.size(); ++i) ASSERT_EQ(next_of(lines), all[i]);
    EXPECT_EQ(next_of(lines), "<end>");
    EXPECT_FALSE(lines.is_mapped());
    EXPECT_EQ(lines.share(), 1.0);
  }
}

}  // namespace
}  // namespace packscope::native
