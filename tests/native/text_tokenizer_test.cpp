// SPDX-License-Identifier: MIT
// SentencePiece: a model trained here on the project's own text gives through the readers what it gives
// alone.
#include "input/text_tokenizer.hpp"

#include <gtest/gtest.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "files/json_writer.hpp"
#include "input/read_input.hpp"
#include "temporary_file.hpp"
#include "token_ids.hpp"

namespace packscope::native {
namespace {

std::vector<std::string> paragraphs_of_our_text() {
  std::vector<std::string> paragraphs;
  for (const char* page : {"README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/concepts.md"}) {
    std::ifstream file(std::string(PACKSCOPE_TESTS_DIR "/../") + page);
    std::string line, paragraph;
    while (std::getline(file, line)) {
      paragraph += line + "\n";
      if (!line.empty()) continue;
      paragraphs.push_back(paragraph);
      paragraph.clear();
    }
  }
  return paragraphs;
}

// The paragraphs as the trainer asks for them.
class Sentences final : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(const std::vector<std::string>& sentences) : sentences_(sentences) {}
  [[nodiscard]] bool done() const override { return at_ == sentences_.size(); }
  void Next() override { ++at_; }
  [[nodiscard]] const std::string& value() const override { return sentences_[at_]; }
  [[nodiscard]] sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& sentences_;
  std::size_t at_ = 0;
};

std::string train_model(const std::vector<std::string>& paragraphs) {
  std::string model;
  Sentences sentences(paragraphs);
  const sentencepiece::util::Status trained = sentencepiece::SentencePieceTrainer::Train(
      "--vocab_size=500 --num_threads=1 --minloglevel=3", &sentences, &model);
  EXPECT_TRUE(trained.ok()) << trained.ToString();
  return model;
}

class TextTokenizerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_GT(paragraphs_.size(), 20u);
    ASSERT_TRUE(alone_.LoadFromSerializedProto(model_).ok());
    options_.input = InputKind::jsonl;
    options_.tokenizer = file_.path();
  }

  [[nodiscard]] std::vector<std::int32_t> ids_of(const std::string& text) const {
    std::vector<int> ids;
    EXPECT_TRUE(alone_.Encode(text, &ids).ok());
    return {ids.begin(), ids.end()};
  }

  // The ids of one document.
  static std::vector<std::int32_t> document(const CorpusData& corpus, std::size_t index) {
    const std::uint64_t begin = corpus.document_offsets[index];
    return packscope::native::ids_of(
        corpus.tokens.view().subspan(begin, corpus.document_offsets[index + 1] - begin));
  }

  Result<CorpusData> read(const std::string& bytes) const {
    const TemporaryFile input(bytes, ".input");
    const std::string paths[] = {input.path()};
    return read_input(paths, options_, {});
  }

  std::vector<std::string> paragraphs_ = paragraphs_of_our_text();
  std::string model_ = train_model(paragraphs_);
  TemporaryFile file_{model_, ".model"};
  sentencepiece::SentencePieceProcessor alone_;
  ReadOptions options_;
};

TEST_F(TextTokenizerTest, GivesTextFieldsTheIdsOfTheLibrary) {
  options_.text_fields = {"text"};
  JsonWriter json(JsonWriter::Layout::one_line);
  std::string lines;
  for (const std::string& paragraph : paragraphs_) {
    json.clear();
    json.begin_object().member("text", paragraph).end_object();
    lines += json.text() + "\n";
  }
  const Result<CorpusData> corpus = read(lines);
  ASSERT_TRUE(corpus) << corpus.error().message;
  ASSERT_EQ(corpus->document_count(), paragraphs_.size());
  for (std::size_t i = 0; i < paragraphs_.size(); ++i) {
    EXPECT_EQ(document(*corpus, i), ids_of(paragraphs_[i])) << paragraphs_[i];
  }
}

TEST_F(TextTokenizerTest, JoinsTextFieldsBeforeItTokenizes) {
  options_.text_fields = {"a", "b"};
  options_.text_join = "";
  const Result<CorpusData> corpus = read(R"({"a": "docu", "b": "ment"})");
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_EQ(document(*corpus, 0), ids_of("document"));
}

TEST_F(TextTokenizerTest, TokenizesPromptAndCompletionEach) {
  options_.prompt_field = "a";
  options_.completion_field = "b";
  const Result<CorpusData> corpus = read(R"({"a": "window", "b": "token"})");
  ASSERT_TRUE(corpus) << corpus.error().message;
  std::vector<std::int32_t> expected = ids_of("window\n");
  EXPECT_EQ(corpus->prompt_lengths, std::vector<std::uint32_t>{static_cast<std::uint32_t>(expected.size())});
  const std::vector<std::int32_t> completion = ids_of("token");
  expected.insert(expected.end(), completion.begin(), completion.end());
  EXPECT_EQ(document(*corpus, 0), expected);
}

TEST_F(TextTokenizerTest, TokenizesLinesAndWholeFiles) {
  options_.input = InputKind::text;
  Result<CorpusData> corpus = read("a window\n\na segment");
  ASSERT_TRUE(corpus) << corpus.error().message;
  ASSERT_EQ(corpus->document_count(), 3u);
  EXPECT_EQ(document(*corpus, 0), ids_of("a window"));
  EXPECT_TRUE(document(*corpus, 1).empty());
  options_.input = InputKind::text_files;
  corpus = read("a window\n\na segment");
  ASSERT_TRUE(corpus) << corpus.error().message;
  EXPECT_EQ(document(*corpus, 0), ids_of("a window\n\na segment"));
}

TEST_F(TextTokenizerTest, TellsModelsApart) {
  options_.input = InputKind::text;
  const Result<CorpusData> corpus = read("a window");
  ASSERT_TRUE(corpus) << corpus.error().message;
  options_.tokenizer_checksum = corpus->tokenizer_checksum;
  EXPECT_TRUE(read("a window"));
  options_.tokenizer_checksum = "crc32:00000000";
  EXPECT_FALSE(read("a window"));
}

TEST_F(TextTokenizerTest, RefusesWhatIsNoModel) {
  EXPECT_FALSE(TextTokenizer::open("no-such-file.model"));
  EXPECT_FALSE(TextTokenizer::open(TemporaryFile("not a model", ".false").path()));
  EXPECT_FALSE(TextTokenizer::open(TemporaryFile("", ".empty").path()));
  EXPECT_FALSE(TextTokenizer::open(TemporaryFile(model_.substr(0, model_.size() / 2), ".half").path()));
}

}  // namespace
}  // namespace packscope::native
