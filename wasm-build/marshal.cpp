// SPDX-License-Identifier: MIT
#include "marshal.hpp"

#include <algorithm>
#include <cstddef>

#include "packscope/ledger_counts.hpp"

namespace packscope::wasm {
namespace {

val text_out(std::string_view text) { return val(std::string(text)); }
// Exact up to 2^53, as far as JavaScript's numbers are.
val count_out(std::uint64_t count) { return val(static_cast<double>(count)); }
std::uint64_t count_in(const val& number) { return static_cast<std::uint64_t>(number.as<double>()); }

// The Int32Array of ids, wide (BigInt64Array) on request.
val ids_out(const std::vector<std::int32_t>& ids, bool wide) {
  return wide ? array_out(Buffer<std::int64_t>(ids.begin(), ids.end())) : array_out(ids);
}

}  // namespace

// Answers

val answer(const Error& error) {
  val details = val::object();
  details.set("code", text_out(error_code_name(error.code)));
  details.set("message", error.message);
  if (error.document != kNoDocument) details.set("document", count_out(error.document));
  val out = val::object();
  out.set("error", details);
  return out;
}

val answer(val value) {
  val out = val::object();
  out.set("value", value);
  return out;
}

val answer(const Status& status) { return status ? answer(val::undefined()) : answer(status.error()); }

// Arrays

val copy_out(const char* kind, const void* data, std::size_t length) {
  const double address = static_cast<double>(reinterpret_cast<std::uintptr_t>(data));
  return val::module_property("boundary")
      .call<val>("read", std::string(kind), address, static_cast<double>(length));
}

void copy_in(const val& array, void* data) {
  const double address = static_cast<double>(reinterpret_cast<std::uintptr_t>(data));
  val::module_property("boundary").call<void>("write", array, address);
}

void copy_onto(const val& array, const void* data) {
  const double address = static_cast<double>(reinterpret_cast<std::uintptr_t>(data));
  val::module_property("boundary").call<void>("fill", array, address);
}

std::vector<std::uint64_t> offsets_in(const val& array) {
  const Buffer<std::uint32_t> narrow = array_in<std::uint32_t>(array);
  return {narrow.begin(), narrow.end()};
}

std::vector<std::string> strings_in(const val& array) {
  return array.isUndefined() ? std::vector<std::string>{} : emscripten::vecFromJSArray<std::string>(array);
}

val strings_out(std::span<const std::string> strings) {
  val out = val::array();
  for (const std::string& string : strings) out.call<void>("push", string);
  return out;
}

// Options

namespace {

template <class Given>
Result<Given> read_options(const std::string& list,
                           Status (*set)(Given&, std::string_view name, std::string_view value)) {
  Given options;
  std::string_view rest = list;
  const auto take = [&rest] {
    const std::string_view text = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    return text;
  };
  while (!rest.empty()) {
    const std::string_view name = take();
    if (Status status = set(options, name, take()); !status) return status.error();
  }
  return options;
}

}  // namespace

Result<Options> options_in(const val& list) {
  return read_options<Options>(list.as<std::string>(), set_option);
}

Result<MaskOptions> mask_options_in(const val& list) {
  return read_options<MaskOptions>(list.as<std::string>(), set_mask_option);
}

val options_out(const Options& options) {
  val out = val::object();
  for (const OptionInfo& info : option_table()) {
    out.set(std::string(info.name), get_option(options, info.name));
  }
  return out;
}

namespace {

val option_table_out() {
  val rows = val::array();
  const auto add = [&rows](const OptionInfo& info, const std::string& initial, const char* table) {
    val row = val::object();
    row.set("name", text_out(info.name));
    row.set("value", text_out(info.value));
    row.set("help", text_out(info.help));
    row.set("plans", info.plans);
    row.set("default", initial);
    row.set("table", std::string(table));
    rows.call<void>("push", row);
  };
  for (const OptionInfo& info : option_table()) add(info, get_option({}, info.name), "pack");
  for (const OptionInfo& info : mask_option_table()) add(info, get_mask_option({}, info.name), "mask");
  return rows;
}

val algorithms_out() {
  val rows = val::array();
  for (const AlgorithmInfo& info : algorithms()) {
    val row = val::object();
    row.set("name", text_out(info.name));
    row.set("title", text_out(info.title));
    row.set("kind", text_out(algorithm_kind_name(info.kind)));
    row.set("splits", info.splits);
    row.set("options", text_out(info.options));
    row.set("rule", text_out(info.rule));
    row.set("complexity", text_out(info.complexity));
    row.set("guarantee", text_out(info.guarantee));
    row.set("use", text_out(info.use));
    row.set("source", text_out(info.source));
    rows.call<void>("push", row);
  }
  return rows;
}

}  // namespace

val description_out() {
  val out = val::object();
  out.set("options", option_table_out());
  out.set("algorithms", algorithms_out());
  return out;
}

// Documents and tokens

DocumentsIn::DocumentsIn(const val& documents)
    : lengths_(array_in<std::uint32_t>(documents["lengths"])),
      sources_(array_in<std::uint32_t>(documents["sources"])),
      source_names_(strings_in(documents["sourceNames"])),
      duplicates_(array_in<std::uint8_t>(documents["duplicates"])) {}

CorpusIn::CorpusIn(const val& corpus)
    : tokens_(array_in<std::int32_t>(corpus["tokens"])),
      offsets_(offsets_in(corpus["offsets"])),
      loss_mask_(array_in<std::uint8_t>(corpus["lossMask"])),
      prompt_lengths_(array_in<std::uint32_t>(corpus["promptLengths"])),
      document_lengths_(array_in<std::uint32_t>(corpus["documentLengths"])),
      sources_(array_in<std::uint32_t>(corpus["sources"])),
      source_names_(strings_in(corpus["sourceNames"])) {
  if (corpus["fields"].isUndefined()) return;
  for (const val& field : emscripten::vecFromJSArray<val>(corpus["fields"])) {
    const auto dtype = static_cast<DType>(field["dtype"].as<unsigned>());
    std::vector<std::byte> values(field["values"]["byteLength"].as<std::size_t>());
    copy_in(field["values"], values.data());
    fields_.push_back({field["name"].as<std::string>(), dtype, std::move(values)});
  }
  for (const BatchField& field : fields_) views_.push_back({field.name, field.dtype, field.values});
}

Corpus CorpusIn::view() const {
  return {tokens_, offsets_, loss_mask_, prompt_lengths_, views_, sources_, source_names_};
}

// Plans

namespace {

val zeros_out(std::size_t length) {
  return val::module_property("boundary").call<val>("zeros", static_cast<double>(length));
}

// The columns in one pass: reading the segments is what takes time. Where no document is cut all offsets are
// 0, as new arrays of JavaScript are, and none is copied.
void set_segments(val& out, std::span<const Segment> segments) {
  Buffer<std::uint32_t> documents(segments.size()), offsets, lengths(segments.size());
  std::size_t i = 0;
  for (; i < segments.size() && segments[i].document_offset == 0; ++i) {
    documents[i] = segments[i].document;
    lengths[i] = segments[i].length;
  }
  const bool any_cut = i < segments.size();
  if (any_cut) offsets.resize(segments.size());
  std::fill_n(offsets.data(), any_cut ? i : 0, 0);
  for (; i < segments.size(); ++i) {
    documents[i] = segments[i].document;
    offsets[i] = segments[i].document_offset;
    lengths[i] = segments[i].length;
  }
  out.set("segment_document", array_out(documents));
  out.set("segment_offset", any_cut ? array_out(offsets) : zeros_out(segments.size()));
  out.set("segment_length", array_out(lengths));
}

void read_column(const val& from, Buffer<Segment>& segments, std::uint32_t Segment::*field) {
  const Buffer<std::uint32_t> column = array_in<std::uint32_t>(from);
  for (std::size_t i = 0; i < segments.size(); ++i) segments[i].*field = column[i];
}

void read_windows(const val& from, WindowList& windows) {
  windows.segments.resize(from["segment_document"]["length"].as<std::size_t>());
  read_column(from["segment_document"], windows.segments, &Segment::document);
  read_column(from["segment_offset"], windows.segments, &Segment::document_offset);
  read_column(from["segment_length"], windows.segments, &Segment::length);
  // The windows before the part that came in are empty ones, so that numbers stay what they are.
  const val first = from["firstWindow"];
  const Buffer<std::uint32_t> offsets = array_in<std::uint32_t>(from["window_offsets"]);
  windows.window_offsets.assign(first.isUndefined() ? 0 : first.as<std::size_t>(), 0);
  windows.window_offsets.insert(windows.window_offsets.end(), offsets.begin(), offsets.end());
}

Ledger ledger_in(const val& from) {
  Ledger ledger;
  for (const auto& [name, count] : kLedgerCounts) ledger.*count = count_in(from[std::string(name)]);
  return ledger;
}

void set_windows(val& out, const WindowList& windows) {
  set_segments(out, windows.segments);
  out.set("window_offsets", offsets_out(windows.window_offsets));
}

}  // namespace

val windows_out(const WindowList& windows) {
  val out = val::object();
  set_windows(out, windows);
  return out;
}

// The arrays last: what fills them and copies them pushes the segments, which are hashed, out of the cache.
val plan_out(const Plan& plan) {
  val out = val::object();
  out.set("ledger", ledger_out(plan.ledger));
  out.set("sourceNames", strings_out(plan.source_names));
  val by_source = val::array();
  for (const Ledger& ledger : plan.ledger_by_source) by_source.call<void>("push", ledger_out(ledger));
  out.set("ledgerBySource", by_source);
  out.set("fingerprint", fingerprint_text(fingerprint(plan)));
  set_windows(out, plan);
  return out;
}

Result<Plan> plan_in(const val& from) {
  Result<Options> options = options_in(from["options"]);
  if (!options) return options.error();
  if (Status sound = check_options(*options); !sound) return sound.error();
  Plan plan;
  plan.options = *std::move(options);
  read_windows(from, plan);
  if (from["ledger"].isUndefined()) return plan;
  plan.ledger = ledger_in(from["ledger"]);
  plan.source_names = strings_in(from["sourceNames"]);
  for (const val& ledger : emscripten::vecFromJSArray<val>(from["ledgerBySource"])) {
    plan.ledger_by_source.push_back(ledger_in(ledger));
  }
  return plan;
}

namespace {

constexpr TraceKind kTraceKinds[] = {
    TraceKind::skip,      TraceKind::drop,  TraceKind::join,  TraceKind::open,  TraceKind::place,
    TraceKind::separator, TraceKind::close, TraceKind::evict, TraceKind::flush, TraceKind::discard,
};

val trace_out(const Trace& trace) {
  val out = val::object();
  val kinds = val::array();
  for (const TraceKind kind : kTraceKinds) kinds.call<void>("push", text_out(trace_kind_name(kind)));
  out.set("kinds", kinds);
  out.set("kind", column_out(trace.steps, &TraceStep::kind));
  out.set("document", column_out(trace.steps, &TraceStep::document));
  out.set("documentOffset", column_out(trace.steps, &TraceStep::document_offset));
  out.set("length", column_out(trace.steps, &TraceStep::length));
  out.set("window", column_out(trace.steps, &TraceStep::window));
  out.set("room", column_out(trace.steps, &TraceStep::room));
  out.set("candidates", column_out(trace.steps, &TraceStep::candidates));
  out.set("fitting", column_out(trace.steps, &TraceStep::fitting));
  out.set("complete", trace.complete);
  out.set("plan_windows", array_out(trace.plan_windows));
  out.set("fillerWindows", count_out(trace.filler_windows));
  return out;
}

}  // namespace

val traced_plan_out(const TracedPlan& traced) {
  val out = val::object();
  out.set("plan", plan_out(traced.plan));
  out.set("trace", trace_out(traced.trace));
  return out;
}

WindowRange range_in(const val& range) { return {count_in(range[0]), count_in(range[1])}; }

val ledger_out(const Ledger& ledger) {
  val out = val::object();
  for (const auto& [name, count] : kLedgerCounts) out.set(std::string(name), count_out(ledger.*count));
  return out;
}

val stats_out(const Stats& stats) {
  val out = val::object();
  out.set("windows", count_out(stats.windows));
  out.set("filler_windows", count_out(stats.filler_windows));
  out.set("segments", count_out(stats.segments));
  out.set("real_tokens", count_out(stats.real_tokens));
  out.set("padding_tokens", count_out(stats.padding_tokens));
  out.set("real_token_share", stats.real_token_share());
  out.set("lower_bound", count_out(stats.lower_bound));
  out.set("gap", count_out(stats.gap()));
  out.set("sum_squared_lengths", count_out(stats.sum_squared_lengths));
  out.set("attention_pairs", count_out(stats.attention_pairs));
  out.set("causal_pairs", count_out(stats.causal_pairs));
  const DocumentsPerWindow& documents = stats.documents_per_window;
  val per_window = val::object();
  per_window.set("min", count_out(documents.min));
  per_window.set("p50", count_out(documents.p50));
  per_window.set("p95", count_out(documents.p95));
  per_window.set("max", count_out(documents.max));
  per_window.set("mean", documents.mean);
  out.set("documents_per_window", per_window);
  if (stats.exact_duplicates) out.set("exact_duplicates", count_out(*stats.exact_duplicates));
  if (stats.documents_without_target) {
    out.set("documents_without_target", count_out(*stats.documents_without_target));
  }
  return out;
}

val fates_out(std::span<const DocumentFate> fates) {
  val out = val::array();
  for (const DocumentFate& fate : fates) {
    val row = val::object();
    row.set("document", fate.document);
    row.set("fate", text_out(document_fate_name(fate.kind)));
    row.set("tokens_dropped", count_out(fate.tokens_dropped));
    out.call<void>("push", row);
  }
  return out;
}

val histogram_plan_out(const HistogramPlan& plan) {
  val out = val::object();
  out.set("ledger", ledger_out(plan.ledger));
  out.set("stats", stats_out(plan.stats));
  return out;
}

std::vector<LengthCount> histogram_in(const val& histogram) {
  const Buffer<std::uint32_t> lengths = array_in<std::uint32_t>(histogram["lengths"]);
  const Buffer<double> counts = array_in<double>(histogram["counts"]);
  std::vector<LengthCount> entries;
  entries.reserve(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    entries.push_back({lengths[i], static_cast<std::uint64_t>(counts[i])});
  }
  return entries;
}

// Arrays of windows

namespace {

struct FieldFlag {
  std::string_view name;
  bool BatchFields::*flag;
};
constexpr FieldFlag kFieldFlags[] = {
    {"input_ids", &BatchFields::input_ids},       {"labels", &BatchFields::labels},
    {"position_ids", &BatchFields::position_ids}, {"doc_ids", &BatchFields::doc_ids},
    {"segment_ids", &BatchFields::segment_ids},   {"loss_mask", &BatchFields::loss_mask},
    {"cu_seqlens", &BatchFields::cu_seqlens},     {"fields", &BatchFields::fields},
};

val fields_out(const std::vector<BatchField>& fields) {
  constexpr const char* kNames[] = {"Uint8Array", "Int32Array", "BigInt64Array", "Float64Array"};
  val out = val::object();
  for (const BatchField& field : fields) {
    const auto dtype = static_cast<std::size_t>(field.dtype);
    const std::size_t size = field.values.size() / dtype_size(field.dtype);
    out.set(field.name, copy_out(kNames[dtype], field.values.data(), size));
  }
  return out;
}

std::vector<BatchField> fields_in(const val& fields) {
  std::vector<BatchField> out;
  for (const val& field : emscripten::vecFromJSArray<val>(fields)) {
    std::vector<std::byte> values(field["values"]["byteLength"].as<std::size_t>());
    copy_in(field["values"], values.data());
    out.push_back({field["name"].as<std::string>(), static_cast<DType>(field["dtype"].as<unsigned>()),
                   std::move(values)});
  }
  return out;
}

template <class T>
std::vector<T> vector_in(const val& array) {
  if (array.isUndefined()) return {};
  std::vector<T> values(array["length"].as<std::size_t>());
  copy_in(array, values.data());
  return values;
}

void set_cu_seqlens(val& out, const Batch& batch) {
  out.set("cu_seqlens", array_out(batch.cu_seqlens));
  out.set("cu_seqlens_offsets", offsets_out(batch.cu_seqlens_offsets));
  out.set("max_seqlen", array_out(batch.max_seqlen));
  if (!batch.cu_seqlens_padded.empty()) out.set("cu_seqlens_padded", array_out(batch.cu_seqlens_padded));
  if (!batch.cu_seqlens_count.empty()) out.set("cu_seqlens_count", array_out(batch.cu_seqlens_count));
}

}  // namespace

Result<BatchFields> batch_fields_in(const val& names) {
  BatchFields fields;
  for (const FieldFlag& row : kFieldFlags) fields.*row.flag = false;
  for (const std::string& name : strings_in(names)) {
    bool known = false;
    for (const FieldFlag& row : kFieldFlags) {
      if (row.name != name) continue;
      fields.*row.flag = known = true;
    }
    if (known) continue;
    std::string all;
    for (const FieldFlag& row : kFieldFlags) all += (all.empty() ? "" : ", ") + std::string(row.name);
    return Error{ErrorCode::invalid_argument, "there is no array '" + name + "'; ask for any of " + all};
  }
  return fields;
}

val batch_out(const Batch& batch, const BatchFields& fields, bool wide) {
  val out = val::object();
  if (fields.input_ids) out.set("input_ids", ids_out(batch.input_ids, wide));
  if (fields.labels) out.set("labels", ids_out(batch.labels, wide));
  if (fields.position_ids) out.set("position_ids", ids_out(batch.position_ids, wide));
  if (fields.segment_ids) out.set("segment_ids", ids_out(batch.segment_ids, wide));
  if (fields.loss_mask) out.set("loss_mask", array_out(batch.loss_mask));
  if (fields.doc_ids && batch.doc_ids_wide.empty()) out.set("doc_ids", ids_out(batch.doc_ids, wide));
  if (!batch.doc_ids_wide.empty()) out.set("doc_ids", array_out(batch.doc_ids_wide));
  if (fields.cu_seqlens) set_cu_seqlens(out, batch);
  out.set("window_lengths", array_out(batch.window_lengths));
  out.set("filler", array_out(batch.filler));
  out.set("fields", fields_out(batch.fields));
  out.set("contextLength", batch.context_length);
  return out;
}

val flat_out(const FlatWindows& flat) {
  val out = val::object();
  out.set("plan", plan_out(flat.plan));
  out.set("tokens", array_out(flat.tokens));
  out.set("positions", array_out(flat.positions));
  out.set("loss_mask", array_out(flat.loss_mask));
  out.set("fields", fields_out(flat.fields));
  out.set("window_lengths", array_out(flat.window_lengths));
  return out;
}

Result<FlatWindows> flat_in(const val& from) {
  Result<Plan> plan = plan_in(from["plan"]);
  if (!plan) return plan.error();
  return FlatWindows{*std::move(plan),
                     vector_in<std::int32_t>(from["tokens"]),
                     vector_in<std::int32_t>(from["positions"]),
                     vector_in<std::uint8_t>(from["loss_mask"]),
                     fields_in(from["fields"]),
                     vector_in<std::int32_t>(from["window_lengths"])};
}

val length_groups_out(const LengthGroups& groups) {
  val out = val::object();
  out.set("order", array_out(groups.order));
  out.set("batch_offsets", offsets_out(groups.batch_offsets));
  out.set("padded_lengths", array_out(groups.padded_lengths));
  out.set("position", array_out(groups.position));
  out.set("realTokens", count_out(groups.real_tokens));
  out.set("paddedTokens", count_out(groups.padded_tokens));
  out.set("emptyDocuments", count_out(groups.empty_documents));
  return out;
}

val intervals_out(const std::vector<KeyInterval>& intervals) {
  val out = val::object();
  out.set("begin", column_out(intervals, &KeyInterval::begin));
  out.set("end", column_out(intervals, &KeyInterval::end));
  return out;
}

val block_mask_out(const BlockMask& mask) {
  val out = val::object();
  out.set("queryBlocks", mask.query_blocks);
  out.set("keyBlocks", mask.key_blocks);
  out.set("kv_num_blocks", array_out(mask.kv_num_blocks));
  out.set("kv_indices", array_out(mask.kv_indices));
  out.set("full_kv_num_blocks", array_out(mask.full_kv_num_blocks));
  out.set("full_kv_indices", array_out(mask.full_kv_indices));
  return out;
}

val block_counts_out(const BlockCounts& counts) {
  val out = val::object();
  out.set("full", count_out(counts.full));
  out.set("partial", count_out(counts.partial));
  out.set("skipped", count_out(counts.skipped));
  return out;
}

// Pictures

namespace {

std::uint64_t fine_in(const val& number) {
  return static_cast<std::uint64_t>(number.as<double>() * static_cast<double>(kFine));
}
FineRange fine_range_in(const val& range) { return {fine_in(range[0]), fine_in(range[1])}; }

val color_out(const Pixel& pixel) { return copy_out("Uint8Array", &pixel, sizeof pixel); }

val colors_out(std::span<const Pixel> pixels) {
  val out = val::array();
  for (const Pixel& pixel : pixels) out.call<void>("push", color_out(pixel));
  return out;
}

}  // namespace

Theme theme_in(const val& view) {
  return view["theme"].as<std::string>() == "dark" ? Theme::dark : Theme::light;
}

WindowFieldView field_view_in(const val& view) {
  return {count_in(view["firstWindow"]), view["cellPx"].as<std::uint32_t>(),
          view["windowsPerCell"].as<std::uint32_t>(), theme_in(view)};
}

val field_view_out(const WindowFieldView& view) {
  val out = val::object();
  out.set("firstWindow", count_out(view.first_window));
  out.set("cellPx", view.cell_px);
  out.set("windowsPerCell", view.windows_per_cell);
  return out;
}

RowsView rows_view_in(const val& view) {
  return {fine_range_in(view["windows"]), fine_range_in(view["positions"]), theme_in(view)};
}

MaskView mask_view_in(const val& view, const MaskOptions& options) {
  const val block = view["block"];
  const bool blocks = !block.isUndefined();
  return {count_in(view["window"]),
          fine_range_in(view["queries"]),
          fine_range_in(view["keys"]),
          blocks ? block[0].as<std::uint32_t>() : 0,
          blocks ? block[1].as<std::uint32_t>() : 0,
          options,
          theme_in(view)};
}

val palette_out(const Palette& palette) {
  val out = val::object();
  out.set("documents", colors_out(palette.documents));
  out.set("inks", colors_out(palette.inks));
  out.set("documentMean", color_out(palette.document_mean));
  out.set("page", color_out(palette.page));
  out.set("padding", color_out(palette.padding));
  out.set("hatch", color_out(palette.hatch));
  out.set("blocked", color_out(palette.blocked));
  out.set("boundary", color_out(palette.boundary));
  out.set("leak", color_out(palette.leak));
  out.set("waste", colors_out(palette.waste));
  return out;
}

val window_out(std::optional<std::uint64_t> window) { return window ? count_out(*window) : val::undefined(); }

val rows_hit_out(const std::optional<RowsHit>& hit) {
  if (!hit) return val::undefined();
  val out = val::object();
  out.set("window", count_out(hit->window));
  out.set("position", hit->position);
  if (hit->segment) out.set("segment", *hit->segment);
  return out;
}

val mask_hit_out(const std::optional<MaskHit>& hit) {
  if (!hit) return val::undefined();
  val out = val::object();
  out.set("query", hit->query);
  out.set("key", hit->key);
  return out;
}

val waste_out(const PlanOutline::Waste& waste) {
  val out = val::object();
  out.set("padding", count_out(waste.padding));
  out.set("worst", waste.worst);
  out.set("worstWindow", count_out(waste.worst_window));
  return out;
}

}  // namespace packscope::wasm
