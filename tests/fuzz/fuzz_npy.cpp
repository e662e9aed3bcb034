// SPDX-License-Identifier: MIT
// .npy files of any bytes, and headers that claim anything: an error, or as many lengths as the header says.
#include "files/npy.hpp"
#include "fuzz_input.hpp"
#include "input/corpus_data.hpp"
#include "input/read_input.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

// A header that is nearly right, so that the values behind it are reached.
std::string choose_header(FuzzedDataProvider& data) {
  native::NpyHeader header;
  header.descr = data.PickValueInArray({"<i4", ">i8", "|u1", "<u8", "<u2", "<i1", "<f8"});
  header.fortran_order = data.ConsumeBool();
  const int dimensions = data.ConsumeIntegralInRange(0, 2);
  for (int i = 0; i < dimensions; ++i) {
    header.shape.push_back(data.ConsumeBool() ? data.ConsumeIntegralInRange<std::uint64_t>(0, 20)
                                              : data.ConsumeIntegral<std::uint64_t>());
  }
  return native::npy_header(header);
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace packscope_fuzz;
  FuzzedDataProvider data(bytes, size);
  native::ReadOptions flags;
  flags.input = native::InputKind::npy;
  if (data.ConsumeBool()) flags.limit_documents = data.ConsumeIntegralInRange<std::uint64_t>(0, 100);
  std::string content = data.ConsumeBool() ? choose_header(data) : std::string();
  content += data.ConsumeRemainingBytesAsString();
  const MemoryFile file(content);
  const std::string paths[] = {file.path()};
  const auto corpus = native::read_input(paths, flags, {});
  if (!corpus) {
    expect_sound(corpus.error());
    return 0;
  }
  expect_value(check_corpus(corpus->view(), {}), "what a reader gives passes check_corpus()");
  if (flags.limit_documents == 0u) return 0;
  auto source = native::ByteSource::open(file.path());
  expect_value(source, "what was read can be opened");
  const auto header = native::read_npy_header(*source);
  expect_value(header, "what was read has a header");
  expect(
      corpus->document_count() == std::min(header->value_count(), flags.limit_documents.value_or(UINT64_MAX)),
      "a document for each value");
  return 0;
}
