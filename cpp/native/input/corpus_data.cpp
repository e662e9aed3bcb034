// SPDX-License-Identifier: MIT
#include "input/corpus_data.hpp"

#include <algorithm>

namespace packscope::native {
namespace {

// What a document takes besides its tokens, here and with whoever takes it.
constexpr std::uint64_t kDocumentBytes = 64;
constexpr std::uint64_t kPieceBytes = 4 << 20;  // of the spool

}  // namespace

Status CorpusData::settle() {
  if (take) {
    const std::uint64_t bytes = token_bytes() + held_documents() * kDocumentBytes;
    return bytes < token_memory.bytes ? Status() : hand_over();
  }
  // The file is written in pieces of some size.
  const std::uint64_t allowed = spool ? std::min(kPieceBytes, token_memory.bytes) : token_memory.bytes;
  return token_bytes() < allowed ? Status() : spool_tokens();
}

Status CorpusData::widen_tokens() {
  if (tokens.is_wide()) return {};
  // Both copies are in memory for a while.
  const std::uint64_t both = tokens.size() * (sizeof(std::uint8_t) + sizeof(std::int32_t));
  if (!take && both > token_memory.bytes) {
    if (Status spooled = spool_tokens(); !spooled) return spooled;
  }
  tokens.wide();
  return spool ? widen_spool() : Status();
}

Status CorpusData::widen_spool() {
  Result<Spool> wider = Spool::create(token_memory.folder);
  if (!wider) return wider.error();
  Status written;
  Buffer<std::int32_t> piece;
  const auto widen = [&](std::span<const std::byte> bytes) {
    piece.resize(bytes.size());
    std::transform(bytes.begin(), bytes.end(), piece.begin(),
                   [](std::byte id) { return std::int32_t{static_cast<std::uint8_t>(id)}; });
    if (written) written = wider->append(std::as_bytes(std::span(piece)));
  };
  if (Status read = spool->visit(widen); !read) return read;
  if (!written) return written;
  spool.emplace(*std::move(wider));
  return {};
}

Status CorpusData::spool_tokens() {
  if (!spool) {
    Result<Spool> created = Spool::create(token_memory.folder);
    if (!created) return created.error();
    spool.emplace(*std::move(created));
  }
  if (Status written = spool->append(tokens.view().bytes()); !written) return written;
  tokens.clear();
  return {};
}

Status CorpusData::hand_over() {
  Status taken = take(*this);
  taken_documents_ += held_documents();
  document_offsets.assign(1, token_count());
  tokens.clear();
  loss_mask.clear();
  prompt_lengths.clear();
  sources.clear();
  return taken;
}

Status CorpusData::finish() {
  if (take) return held_documents() == 0 ? Status() : hand_over();
  field_views.clear();
  for (const Field& field : fields) field_views.push_back({field.name, field.dtype, field.values});
  if (!spool) return {};
  if (Status written = spool_tokens(); !written) return written;
  tokens.release();
  return spool->finish();
}

std::uint64_t CorpusData::documents_with_tokens() const {
  std::uint64_t count = 0;
  for (std::size_t i = 1; i < document_offsets.size(); ++i)
    count += document_offsets[i] > document_offsets[i - 1];
  return count;
}

void CorpusData::clear() {
  tokens.clear();
  document_offsets.assign(1, 0);
  loss_mask.clear();
  prompt_lengths.clear();
  fields.clear();
  sources.clear();
  source_names.clear();
  source_ids_.clear();
  records.bytes.clear();
  records.offsets.assign(1, 0);
  repairs = {};
  fields_left_out.clear();
}

void CorpusData::append(const CorpusData& more) {
  const std::uint64_t before = token_count();
  tokens.append(more.tokens.view());
  for (std::size_t i = 1; i < more.document_offsets.size(); ++i) {
    document_offsets.push_back(before + more.document_offsets[i]);
  }
  loss_mask.insert(loss_mask.end(), more.loss_mask.begin(), more.loss_mask.end());
  prompt_lengths.insert(prompt_lengths.end(), more.prompt_lengths.begin(), more.prompt_lengths.end());
  append_sources(more);
  records.append(more.records);
  repairs.add(more.repairs);
}

// Sources are numbered in the order in which their names appear.
void CorpusData::append_sources(const CorpusData& more) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : more.source_names) numbers.push_back(source_number(name));
  for (const std::uint32_t source : more.sources) sources.push_back(numbers[source]);
}

std::uint32_t CorpusData::source_number(std::string_view name) {
  if (const auto known = source_ids_.find(name); known != source_ids_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(source_names.size());
  source_names.emplace_back(name);
  source_ids_.emplace(name, number);
  return number;
}

TokenView CorpusData::all_tokens() const {
  if (!spool) return tokens.view();
  const std::span<const std::byte> bytes = spool->bytes();
  if (!tokens.is_wide()) return std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return std::span(reinterpret_cast<const std::int32_t*>(bytes.data()), bytes.size() / sizeof(std::int32_t));
}

Corpus CorpusData::view() const {
  return {.tokens = all_tokens(),
          .document_offsets = document_offsets,
          .loss_mask = loss_mask,
          .prompt_lengths = prompt_lengths,
          .fields = field_views,
          .sources = sources,
          .source_names = source_names};
}

}  // namespace packscope::native
