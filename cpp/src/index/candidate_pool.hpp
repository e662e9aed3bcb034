// SPDX-License-Identifier: MIT
// The pool of best_fit_wrap: documents that wait for a window, by length and by arrival. Every question and
// change takes O(1) but for a few steps in the set of lengths.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "index/length_set.hpp"

namespace packscope {

struct Candidate {
  WholeDocument document;  // what is left of it
  std::uint64_t arrival;
  bool split;  // counted as split already
};

class CandidatePool {
 public:
  static constexpr std::uint32_t kNone = LengthSet::kNone;

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }

  // Arrives after all others.
  void join(const Candidate& candidate) {
    const std::uint32_t slot = take_slot(candidate);
    link_arrival(slot);
    append_to_queue(slot);
  }

  [[nodiscard]] const Candidate& oldest() const { return slots_[oldest_].candidate; }

  // The greatest length <= room, or kNone; the smallest of all.
  [[nodiscard]] std::uint32_t longest_fitting(std::uint32_t room) const { return lengths_.at_most(room); }
  [[nodiscard]] std::uint32_t shortest() const { return lengths_.at_least(0); }

  // Removes the oldest candidate of this length, which some candidate must have.
  Candidate leave(std::uint32_t length) {
    const std::uint32_t slot = remove_from_queue(length);
    unlink_arrival(slot);
    free_.push_back(slot);
    return slots_[slot].candidate;
  }

  // Cuts the first `tokens` off the oldest of the shortest candidates, which keeps its arrival. Its rest is
  // shorter than every other candidate.
  Candidate cut_shortest(std::uint32_t tokens) {
    const std::uint32_t slot = remove_from_queue(shortest());
    Candidate first = slots_[slot].candidate;
    Candidate& rest = slots_[slot].candidate;
    assert(tokens < rest.document.segment.length);
    first.document.segment.length = tokens;
    rest.document.segment.document_offset += tokens;
    rest.document.segment.length -= tokens;
    rest.split = true;
    append_to_queue(slot);
    return first;
  }

 private:
  struct Slot {
    Candidate candidate;
    std::uint32_t next_of_length;  // the next younger one of the same length
    std::uint32_t older;           // of all lengths
    std::uint32_t younger;
  };
  // Of candidates of one length.
  struct Queue {
    std::uint32_t oldest = kNone;
    std::uint32_t youngest = kNone;
  };

  std::uint32_t take_slot(const Candidate& candidate) {
    if (free_.empty()) {
      slots_.push_back({candidate, kNone, kNone, kNone});
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = {candidate, kNone, kNone, kNone};
    return slot;
  }

  void link_arrival(std::uint32_t slot) {
    slots_[slot].older = youngest_;
    (youngest_ == kNone ? oldest_ : slots_[youngest_].younger) = slot;
    youngest_ = slot;
    ++size_;
  }

  void unlink_arrival(std::uint32_t slot) {
    const auto [older, younger] = std::pair(slots_[slot].older, slots_[slot].younger);
    (older == kNone ? oldest_ : slots_[older].younger) = younger;
    (younger == kNone ? youngest_ : slots_[younger].older) = older;
    --size_;
  }

  void append_to_queue(std::uint32_t slot) {
    const std::uint32_t length = slots_[slot].candidate.document.segment.length;
    if (length >= queues_.size()) queues_.resize(std::max(queues_.size() * 2, std::size_t{length} + 1));
    Queue& queue = queues_[length];
    if (queue.oldest == kNone) lengths_.insert(length);
    (queue.oldest == kNone ? queue.oldest : slots_[queue.youngest].next_of_length) = slot;
    queue.youngest = slot;
    slots_[slot].next_of_length = kNone;
    tokens_ += length;
  }

  std::uint32_t remove_from_queue(std::uint32_t length) {
    Queue& queue = queues_[length];
    const std::uint32_t slot = queue.oldest;
    queue.oldest = slots_[slot].next_of_length;
    if (queue.oldest == kNone) lengths_.erase(length);
    tokens_ -= length;
    return slot;
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<Queue> queues_;  // by length
  LengthSet lengths_;          // that some candidate has
  std::uint32_t oldest_ = kNone;
  std::uint32_t youngest_ = kNone;
  std::uint32_t size_ = 0;
  std::uint64_t tokens_ = 0;
};

}  // namespace packscope
