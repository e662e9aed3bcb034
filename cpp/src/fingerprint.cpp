// SPDX-License-Identifier: MIT
#include "packscope/xxh64.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "packscope/plan.hpp"

namespace packscope {
namespace {

constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87;
constexpr std::uint64_t kPrime2 = 0xc2b2ae3d27d4eb4f;
constexpr std::uint64_t kPrime3 = 0x165667b19e3779f9;
constexpr std::uint64_t kPrime4 = 0x85ebca77c2b2ae63;
constexpr std::uint64_t kPrime5 = 0x27d4eb2f165667c5;

static_assert(std::endian::native == std::endian::little, "fingerprints are of little-endian numbers");

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ round(0, lane)) * kPrime1 + kPrime4;
}

}  // namespace

void Xxh64::consume_stripe(Lanes& lanes, const std::byte* stripe) {
  for (std::size_t i = 0; i < 4; ++i) lanes[i] = round(lanes[i], load<std::uint64_t>(stripe + 8 * i));
}

void Xxh64::update(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;  // memcpy takes no null pointer, not even for nothing
  total_size_ += bytes.size();
  if (pending_size_ > 0) {
    const std::size_t taken = std::min(bytes.size(), pending_.size() - pending_size_);
    std::memcpy(pending_.data() + pending_size_, bytes.data(), taken);
    pending_size_ += taken;
    bytes = bytes.subspan(taken);
    if (pending_size_ < pending_.size()) return;
    consume_stripe(lanes_, pending_.data());
    pending_size_ = 0;
  }
  Lanes lanes = lanes_;  // in registers while the stripes go by
  for (; bytes.size() >= pending_.size(); bytes = bytes.subspan(pending_.size()))
    consume_stripe(lanes, bytes.data());
  lanes_ = lanes;
  if (!bytes.empty()) std::memcpy(pending_.data(), bytes.data(), bytes.size());
  pending_size_ = bytes.size();
}

void Xxh64::update_u32(std::uint32_t value) { update(std::as_bytes(std::span(&value, 1))); }

std::uint64_t Xxh64::digest() const {
  std::uint64_t hash = lanes_[2] + kPrime5;
  if (total_size_ >= pending_.size()) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = merge(hash, lane);
  }
  hash += total_size_;
  const std::byte* at = pending_.data();
  const std::byte* end = at + pending_size_;
  for (; end - at >= 8; at += 8)
    hash = std::rotl(hash ^ round(0, load<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  for (; end - at >= 4; at += 4) {
    hash = std::rotl(hash ^ (load<std::uint32_t>(at) * kPrime1), 23) * kPrime2 + kPrime3;
  }
  for (; at < end; ++at) hash = std::rotl(hash ^ (static_cast<std::uint64_t>(*at) * kPrime5), 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

std::uint64_t fingerprint(const Plan& plan) {
  static_assert(sizeof(Segment) == 12, "a segment is hashed as its three numbers");
  Xxh64 hash;
  hash.update_u32(plan.options.context_length);
  hash.update(std::as_bytes(std::span(plan.window_offsets)));
  hash.update(std::as_bytes(std::span(plan.segments)));
  return hash.digest();
}

std::string fingerprint_text(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace packscope
