// SPDX-License-Identifier: MIT
#include "input/zstd_decompressor.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <cassert>
#include <new>
#include <utility>

#include "message.hpp"

namespace packscope::native {
namespace {

// Data sets are often compressed with `zstd --long=31`, which the default limit refuses. The window's
// memory is touched only as far as a frame fills it.
constexpr int kLargestWindowLog = sizeof(void*) == 4 ? 30 : 31;

}  // namespace

struct ZstdDecompressor::Stream {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_inBuffer in{nullptr, 0, 0};

  Stream() {
    if (context == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kLargestWindowLog);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { ZSTD_freeDCtx(context); }
};

ZstdDecompressor::ZstdDecompressor(std::string name)
    : stream_(std::make_unique<Stream>()), name_(std::move(name)) {}
ZstdDecompressor::~ZstdDecompressor() = default;

bool ZstdDecompressor::hungry() const { return stream_->in.pos == stream_->in.size; }

void ZstdDecompressor::give(std::span<const char> compressed) {
  assert(hungry());
  stream_->in = {compressed.data(), compressed.size(), 0};
  bytes_given_ += compressed.size();
}

Error ZstdDecompressor::damaged(std::size_t code) const {
  const std::uint64_t byte = bytes_given_ - (stream_->in.size - stream_->in.pos);
  switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_prefix_unknown:
      return bad_data(name_, ": byte ", byte, " of the compressed file follows zstd frame ", frames_,
                      " but does not begin another; the file is damaged or has something appended");
    case ZSTD_error_dictionary_wrong:
      return bad_data(name_, ": zstd frame ", frames_ + 1,
                      " needs the dictionary it was compressed with; try: zstd -dc -D DICTIONARY FILE | "
                      "packscope COMMAND -");
    default:
      return bad_data(name_, ": damaged zstd data before byte ", byte, " of the compressed file (",
                      ZSTD_getErrorName(code), ")");
  }
}

Result<std::size_t> ZstdDecompressor::decompress(std::span<char> out) {
  if (hungry() && !in_frame_) return std::size_t{0};
  ZSTD_outBuffer written{out.data(), out.size(), 0};
  const std::size_t code = ZSTD_decompressStream(stream_->context, &written, &stream_->in);
  if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(code)) return damaged(code);
  in_frame_ = code != 0;  // 0: a frame ended and all of it is written
  if (!in_frame_) ++frames_;
  return written.pos;
}

Status ZstdDecompressor::finish() const {
  if (!in_frame_) return {};
  return bad_data(name_, ": the zstd data ends inside frame ", frames_ + 1, ", after ", bytes_given_,
                  " compressed bytes: the file is truncated; fetch it again");
}

}  // namespace packscope::native
