// SPDX-License-Identifier: MIT
#include "input/gzip_decompressor.hpp"

#include <zlib.h>

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

#include "message.hpp"

namespace packscope::native {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // zlib's way to say: a gzip header, nothing else
constexpr unsigned char kGzipFirstByte = 0x1f;

}  // namespace

struct GzipDecompressor::Stream {
  z_stream z{};
  Stream() {
    if (inflateInit2(&z, kGzipWindowBits) != Z_OK) throw std::bad_alloc();
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { inflateEnd(&z); }
};

GzipDecompressor::GzipDecompressor(std::string name)
    : stream_(std::make_unique<Stream>()), name_(std::move(name)) {}
GzipDecompressor::~GzipDecompressor() = default;

bool GzipDecompressor::hungry() const { return stream_->z.avail_in == 0; }

void GzipDecompressor::give(std::span<const char> compressed) {
  assert(hungry());
  // zlib's interface is not const-correct; it does not write to its input.
  stream_->z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream_->z.avail_in = static_cast<uInt>(compressed.size());
  bytes_given_ += compressed.size();
}

// What follows a member: another one, zeros that fill up a block device, or damage.
Status GzipDecompressor::begin_member() {
  z_stream& z = stream_->z;
  if (members_ > 0 && *z.next_in == 0) at_ = At::zero_padding;
  if (at_ == At::zero_padding) {
    while (z.avail_in > 0 && *z.next_in == 0) ++z.next_in, --z.avail_in;
    if (z.avail_in == 0) return {};
  }
  if (at_ == At::zero_padding || *z.next_in != kGzipFirstByte) {
    return bad_data(name_, ": byte ", bytes_given_ - z.avail_in,
                    " of the compressed file follows gzip member ", members_,
                    " but does not begin another; the file is damaged or has something appended");
  }
  inflateReset(&z);
  at_ = At::member;
  return {};
}

Result<std::size_t> GzipDecompressor::decompress(std::span<char> out) {
  if (hungry() && at_ != At::member) return std::size_t{0};
  if (at_ != At::member) {
    if (Status begun = begin_member(); !begun) return begun.error();
    if (at_ != At::member) return std::size_t{0};
  }
  z_stream& z = stream_->z;
  const std::size_t room = std::min<std::size_t>(out.size(), UINT32_MAX);
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(room);
  const int code = ::inflate(&z, Z_NO_FLUSH);
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  if (code == Z_STREAM_END) {
    at_ = At::between;
    ++members_;
  } else if (code != Z_OK && code != Z_BUF_ERROR) {
    return bad_data(name_, ": damaged gzip data before byte ", bytes_given_ - z.avail_in,
                    " of the compressed file (", z.msg ? z.msg : "no detail", ")");
  }
  return room - z.avail_out;
}

Status GzipDecompressor::finish() const {
  if (at_ != At::member) return {};
  return bad_data(name_, ": the gzip data ends inside member ", members_ + 1, ", after ", bytes_given_,
                  " compressed bytes: the file is truncated; fetch it again");
}

}  // namespace packscope::native
