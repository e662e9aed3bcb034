// SPDX-License-Identifier: MIT
#include "output/window_writer.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstring>

#include "files/json_writer.hpp"
#include "in_order.hpp"
#include "message.hpp"
#include "output/batch_arrays.hpp"

namespace packscope::native {
namespace {

constexpr std::uint64_t kLineRangeBytes = 4 << 20;  // of arrays in a piece of work
constexpr std::size_t kFlushBytes = 1 << 20;

template <class Value>
Value value_at(std::span<const std::byte> bytes, std::uint64_t index) {
  Value value;
  std::memcpy(&value, bytes.data() + index * sizeof(Value), sizeof(Value));
  return value;
}

template <class Value>
void write_values(JsonWriter& json, std::span<const std::byte> bytes, std::uint64_t begin,
                  std::uint64_t end) {
  json.begin_array();
  for (std::uint64_t i = begin; i < end; ++i) json.value(value_at<Value>(bytes, i));
  json.end_array();
}

void write_array(JsonWriter& json, const ArrayView& array, std::uint64_t begin, std::uint64_t end) {
  json.key(array.name);
  if (array.descr == "|u1") return write_values<std::uint8_t>(json, array.values, begin, end);
  if (array.descr == "<i4") return write_values<std::int32_t>(json, array.values, begin, end);
  if (array.descr == "<i8") return write_values<std::int64_t>(json, array.values, begin, end);
  return write_values<double>(json, array.values, begin, end);
}

void write_segments(JsonWriter& json, std::span<const Segment> segments) {
  json.key("segments").begin_array();
  for (const Segment& segment : segments) {
    json.begin_object()
        .member("document", segment.document)
        .member("offset", segment.document_offset)
        .member("length", segment.length)
        .end_object();
  }
  json.end_array();
}

void write_window(JsonWriter& json, const Batch& batch, const std::vector<ArrayView>& arrays,
                  std::uint64_t index) {
  for (const ArrayView& array : arrays) {
    if (array.columns > 0) {
      write_array(json, array, index * array.columns, (index + 1) * array.columns);
    } else if (array.name == "cu_seqlens" || array.name == "cu_seqlens_padded") {
      write_array(json, array, batch.cu_seqlens_offsets[index], batch.cu_seqlens_offsets[index + 1]);
    } else if (array.name == "cu_seqlens_count") {
      json.member(array.name, batch.cu_seqlens_count[index]);
    }
  }
}

// Lines gathered into large writes.
struct LineOutput {
  explicit LineOutput(FileWriter& to) : file(to) {}

  FileWriter& file;
  JsonWriter json{JsonWriter::Layout::one_line};
  std::string pending;

  Status end_line() {
    pending += json.text();
    pending += '\n';
    json.clear();
    return pending.size() < kFlushBytes ? Status() : flush();
  }
  Status flush() {
    Status written = file.write(pending);
    pending.clear();
    return written;
  }
};

// The lines of a range of windows.
struct RangeLines {
  WindowRange range;
  Batch batch;
  std::string text;
};

// A record that the plan cuts: its lists of the tokens' length from `begin` to `end`.
class RecordSlicer {
 public:
  RecordSlicer(const CorpusData& corpus, const ReadOptions& reader) : corpus_(corpus), reader_(reader) {}

  void write(JsonWriter& json, const Segment& segment) {
    json.begin_object();
    if (reader_.reads_text()) {
      write_tokens(json, segment);
    } else {
      write_lists(json, segment);
    }
    json.end_object();
  }

 private:
  void write_tokens(JsonWriter& json, const Segment& segment) const {
    const std::uint64_t begin = corpus_.document_offsets[segment.document] + segment.document_offset;
    json.key(kDefaultTokensField).begin_array();
    corpus_.view().tokens.subspan(begin, segment.length).visit([&](auto ids) {
      for (const std::int32_t id : ids) json.value(id);
    });
    json.end_array();
  }

  void write_lists(JsonWriter& json, const Segment& segment) {
    const std::uint64_t tokens =
        corpus_.document_offsets[segment.document + 1] - corpus_.document_offsets[segment.document];
    simdjson::dom::object record;
    // It was parsed once already, when it was read.
    if (parser_.parse(corpus_.records[segment.document]).get(record) != simdjson::SUCCESS) return;
    for (const simdjson::dom::key_value_pair& field : record) {
      simdjson::dom::array list;
      if (field.value.get(list) != simdjson::SUCCESS || list.size() != tokens) continue;
      json.key(field.key).begin_array();
      std::uint64_t index = 0;
      for (const simdjson::dom::element value : list) {
        const std::uint64_t at = index++;
        if (at < segment.document_offset) continue;
        if (at >= std::uint64_t{segment.document_offset} + segment.length) break;
        json.raw(simdjson::minify(value));
      }
      json.end_array();
    }
  }

  const CorpusData& corpus_;
  const ReadOptions& reader_;
  simdjson::dom::parser parser_;
};

// How many windows make a piece of work.
Result<std::uint64_t> windows_in_lines(const Outcome& outcome, const Corpus& corpus) {
  if (outcome.plan_only) return kWindowsWithoutArrays;
  return windows_in(kLineRangeBytes, outcome.plan->options, corpus);
}

}  // namespace

void append_window_lines(std::string& text, const Plan& plan, const Batch& batch,
                         const std::vector<ArrayView>& arrays) {
  JsonWriter json(JsonWriter::Layout::one_line);
  for (std::uint64_t index = 0; index < batch.windows.size(); ++index) {
    json.clear();
    json.begin_object();
    write_window(json, batch, arrays, index);
    write_segments(json, plan.window(batch.windows.first + index));
    json.end_object();
    text += json.text();
    text += '\n';
  }
}

void append_segment_lines(std::string& text, const WindowList& list, WindowRange windows) {
  JsonWriter json(JsonWriter::Layout::one_line);
  for (std::uint64_t window = windows.first; window < windows.last; ++window) {
    json.clear();
    json.begin_object();
    write_segments(json, list.window(window));
    json.end_object();
    text += json.text();
    text += '\n';
  }
}

Status write_window_lines(FileWriter& file, const Outcome& outcome, const WorkShare& share) {
  const Plan& plan = *outcome.plan;
  const Corpus corpus = outcome.corpus->view();
  const std::uint64_t windows = plan.window_count();
  const Result<std::uint64_t> step = windows_in_lines(outcome, corpus);
  if (!step) return step.error();
  std::uint64_t next = 0;
  const auto make = [&](RangeLines& piece) -> Result<bool> {
    if (next == windows) return false;
    piece.range = {next, std::min(windows, next + *step)};
    next = piece.range.last;
    return true;
  };
  const auto work = [&](RangeLines& piece) -> Status {
    piece.text.clear();
    if (outcome.plan_only) {
      append_segment_lines(piece.text, plan, piece.range);
      return {};
    }
    if (Status made = materialize_into(piece.batch, plan, corpus, piece.range); !made) return made;
    append_window_lines(piece.text, plan, piece.batch,
                        batch_arrays(piece.batch, plan, outcome.corpus->tokens_known));
    return {};
  };
  const auto take = [&](RangeLines& piece) -> Status {
    if (Status written = file.write(piece.text); !written) return written;
    if (share.progress) share.progress(piece.range.last, windows);
    return {};
  };
  return in_order<RangeLines>(share.threads, make, work, take);
}

Status write_sequence_lines(FileWriter& file, const Outcome& outcome, const WriteProgress& progress) {
  const Plan& plan = *outcome.plan;
  const CorpusData& corpus = *outcome.corpus;
  LineOutput out(file);
  RecordSlicer slicer(corpus, *outcome.reader);
  for (std::uint64_t window = 0; window < plan.window_count(); ++window) {
    out.json.begin_object().key("packed_samples").begin_array();
    for (const Segment& segment : plan.window(window)) {
      const std::uint64_t tokens =
          corpus.document_offsets[segment.document + 1] - corpus.document_offsets[segment.document];
      if (segment.length == tokens) {
        out.json.raw(corpus.records[segment.document]);
      } else {
        slicer.write(out.json, segment);
      }
    }
    out.json.end_array().end_object();
    if (Status ended = out.end_line(); !ended) return ended;
    if (progress) progress(window + 1, plan.window_count());
  }
  return out.flush();
}

Status check_sequences(const Options& options, InputKind kind) {
  if (kind != InputKind::jsonl) {
    return bad_usage("--format sequences writes the original JSON records, but the input is ",
                     input_kind_name(kind), "; use --format jsonl");
  }
  if (options.separator_id || options.bos_id) {
    return bad_usage("--format sequences writes records as they are, which cannot carry ",
                     options.separator_id ? "--separator-id" : "--bos-id",
                     "; leave it out or use --format jsonl");
  }
  return {};
}

}  // namespace packscope::native
