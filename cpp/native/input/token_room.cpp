// SPDX-License-Identifier: MIT
#include "input/token_room.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace packscope::native {
namespace {

constexpr std::size_t kHugePageBytes = 2 << 20;
constexpr std::size_t kLeastRoom = 1 << 16;
constexpr double kSlack = 1.02;
constexpr std::uint64_t kLargestStep = 64;  // times what is there: a first estimate may be far off

// A little more than `file_tokens` scaled up to the whole file.
std::uint64_t tokens_to_come(std::uint64_t file_tokens, double share) {
  if (share <= 0) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(file_tokens) * std::max(0.0, kSlack / share - 1));
}

// One page fault for 512 ordinary ones, where the system allows it.
template <class Id>
void prefer_huge_pages(const Buffer<Id>& tokens) {
#ifdef MADV_HUGEPAGE
  const auto begin = reinterpret_cast<std::uintptr_t>(tokens.data());
  const std::uintptr_t end = begin + tokens.capacity() * sizeof(Id);
  const std::uintptr_t first = (begin + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  if (first + kHugePageBytes <= end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

template <class Id>
void make_room_in(Buffer<Id>& tokens, std::size_t more, std::uint64_t file_tokens, double share,
                  std::uint64_t most_bytes) {
  const std::size_t needed = tokens.size() + more;
  if (needed <= tokens.capacity()) return;
  const std::uint64_t estimate = needed + tokens_to_come(file_tokens, share);
  const std::uint64_t least = std::max<std::uint64_t>(needed + needed / 4, kLeastRoom);
  const std::uint64_t most = std::max<std::uint64_t>(least, needed * kLargestStep);
  Buffer<Id> roomier;
  const std::uint64_t room = std::clamp(estimate, least, most);
  const std::uint64_t allowed = std::max<std::uint64_t>(needed, most_bytes / sizeof(Id));
  roomier.reserve(static_cast<std::size_t>(std::min(room, allowed)));
  prefer_huge_pages(roomier);  // before anything touches them
  roomier.assign(tokens.begin(), tokens.end());
  tokens = std::move(roomier);
}

}  // namespace

void make_room(TokenStore& tokens, std::size_t more, std::uint64_t file_tokens, double share,
               std::uint64_t most_bytes) {
  if (tokens.is_wide()) return make_room_in(tokens.wide(), more, file_tokens, share, most_bytes);
  make_room_in(tokens.narrow(), more, file_tokens, share, most_bytes);
}

}  // namespace packscope::native
