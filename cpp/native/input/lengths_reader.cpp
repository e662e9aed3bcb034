// SPDX-License-Identifier: MIT
#include "input/lengths_reader.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace packscope::native {
namespace {

constexpr std::size_t kMaxValueText = 40;
// Of all lines together, so that no total of tokens passes 64 bits whatever the lengths.
constexpr std::uint64_t kMaxHistogramDocuments = UINT32_MAX;

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view without_comment(std::string_view line) { return trim(line.substr(0, line.find('#'))); }

Result<std::uint64_t> parse_count(std::string_view text, const Place& place, std::string_view what,
                                  std::uint64_t limit) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value <= limit) return value;
  return bad_data(place, ": '", text.substr(0, kMaxValueText), "' is no ", what,
                  "; it must be an integer from 0 to ", limit);
}

// Calls `take(content, place)` for every line that holds more than a comment.
template <class Take>
Status for_each_entry(ByteSource source, CorpusData& corpus, const ReadProgress& progress, Take take) {
  LineReader lines(std::move(source), corpus.repairs, progress);
  while (true) {
    Result<std::optional<std::string_view>> line = next_content_line(lines, corpus.repairs);
    if (!line) return line.error();
    if (!*line) return {};
    const std::string_view content = without_comment(**line);
    if (content.empty()) continue;
    Result<bool> more = take(content, lines.place());
    if (!more) return more.error();
    if (!*more) return {};
  }
}

}  // namespace

Status read_lengths(ByteSource source, const ReadOptions& options, CorpusData& corpus,
                    const ReadProgress& progress) {
  const std::uint64_t before = corpus.document_count();
  const std::string name = source.name();
  const std::uint64_t limit = options.limit_documents.value_or(UINT64_MAX);
  const auto take = [&](std::string_view text, const Place& place) -> Result<bool> {
    if (corpus.document_count() >= limit) return false;
    Result<std::uint64_t> length = parse_count(text, place, "document length", kMaxLength);
    if (!length) return length.error();
    corpus.document_offsets.push_back(corpus.document_offsets.back() + *length);
    if (Status settled = corpus.settle(); !settled) return settled.error();
    return true;
  };
  if (Status read = for_each_entry(std::move(source), corpus, progress, take); !read) return read;
  corpus.files.push_back({name, corpus.document_count() - before});
  return {};
}

Status read_histogram(ByteSource source, CorpusData& corpus, const ReadProgress& progress) {
  std::uint64_t documents = 0;
  const std::string name = source.name();
  const auto take = [&](std::string_view text, const Place& place) -> Result<bool> {
    const std::size_t gap = text.find_first_of(" \t");
    if (gap == std::string_view::npos) {
      return bad_data(
          place, ": '", text.substr(0, kMaxValueText),
          "' has no count; a histogram line is length<TAB>documents (lengths alone: --input lengths)");
    }
    Result<std::uint64_t> length = parse_count(text.substr(0, gap), place, "document length", kMaxLength);
    if (!length) return length.error();
    Result<std::uint64_t> count =
        parse_count(trim(text.substr(gap)), place, "count of documents", kMaxHistogramDocuments - documents);
    if (!count) return count.error();
    corpus.histogram.push_back({static_cast<std::uint32_t>(*length), *count});
    documents += *count;
    return true;
  };
  for (const LengthCount& entry : corpus.histogram) documents += entry.documents;
  const std::uint64_t before = documents;
  if (Status read = for_each_entry(std::move(source), corpus, progress, take); !read) return read;
  corpus.files.push_back({name, documents - before});
  return {};
}

Status expand_histogram(const ReadOptions& options, CorpusData& corpus) {
  std::uint64_t documents = 0;
  for (const LengthCount& entry : corpus.histogram) documents += entry.documents;
  documents = std::min(documents, options.limit_documents.value_or(UINT64_MAX));
  if (documents > kMaxDocuments) {
    return bad_data("the histogram has ", documents, " documents, more than the ", kMaxDocuments,
                    " that have ids; compare them with packscope compare, or use --limit-documents N");
  }
  corpus.document_offsets.reserve(documents + 1);
  for (const LengthCount& entry : corpus.histogram) {
    const std::uint64_t count = std::min(entry.documents, documents - corpus.document_count());
    for (std::uint64_t i = 0; i < count; ++i) {
      corpus.document_offsets.push_back(corpus.document_offsets.back() + entry.length);
    }
  }
  return {};
}

}  // namespace packscope::native
