// SPDX-License-Identifier: MIT
// Makes a streaming algorithm of a placer, which says where one piece goes. The loop over documents is
// compiled with each placer, so that a document costs no call.
#pragma once

#include <algorithm>
#include <memory>

#include "algorithms/algorithm.hpp"
#include "algorithms/open_window.hpp"
#include "algorithms/tail_block.hpp"
#include "pieces.hpp"

namespace packscope {

// A Placer is made from a Run and has flush(), kCutsDocuments and, by that, place(const WholeDocument&) for
// documents of any length or place(const Piece&). With kPlacesBlocks it also has places_blocks(), whether
// these options allow it, and two functions that write to a TailBlock: place_run(documents, first, last,
// block), which places documents until it leaves one, empty or long, and returns its index, and append(),
// which does what place() does.

template <class Placer>
class Streaming final : public StreamingAlgorithm {
 public:
  explicit Streaming(Run& run) : run_(run), placer_(run) {}

  void push(const DocumentSet& documents, std::size_t first, std::size_t last) override {
    if constexpr (Placer::kPlacesBlocks) {
      if (documents.is_plain() && placer_.places_blocks()) return push_blocks(documents, first, last);
    }
    const WindowRules rules = run_.rules;
    const std::uint32_t added = rules.added();
    visit_documents(
        rules, documents, first, last,
        [&](std::uint32_t index, std::uint32_t n) {
          const std::uint32_t source = documents.source(index);
          if (added > 0) run_.ledger[source].separators_added += added;
          place_whole(rules, {documents.first_document + index, 0, n + added}, source);
        },
        [&](std::uint32_t index, std::uint32_t) {
          place_unusual(documents, index, [&](const auto& document) { placer_.place(document); });
        });
  }

  void flush() override { placer_.flush(); }

 private:
  void push_blocks(const DocumentSet& documents, std::size_t first, std::size_t last) {
    while (first < last) {
      const std::size_t end = std::min(last, first + kDocumentsPerBlock);
      push_block(documents, first, end);
      first = end;
    }
  }

  void push_block(const DocumentSet& documents, std::size_t first, std::size_t last) {
    TailBlock tail(run_.out, last - first);
    const auto append = [&](const auto& document) {
      tail.make_room(document.segment.length / run_.rules.window);
      placer_.append(document, tail.writer());
    };
    while ((first = placer_.place_run(documents, first, last, tail)) < last) {
      place_unusual(documents, static_cast<std::uint32_t>(first++), append);
    }
  }

  void place_whole(const WindowRules& rules, const Segment& segment, std::uint32_t source) {
    if constexpr (Placer::kCutsDocuments) {
      placer_.place(WholeDocument{segment, source, false});
    } else {
      placer_.place(Piece{segment, rules.planned_positions(segment.length), source});
    }
  }

  template <class Place>
  void place_unusual(const DocumentSet& documents, std::uint32_t index, Place place) {
    const std::uint32_t n = documents.lengths[index];
    const std::uint32_t document = documents.first_document + index;
    const std::uint32_t source = documents.source(index);
    DocumentLayout layout;
    if (!take_in(run_, documents, index, layout)) return;
    if constexpr (Placer::kCutsDocuments) {
      place(whole_document(run_.rules, document, layout, n, source));
    } else {
      visit_planned_pieces(run_, document, layout, source, place);
    }
  }

  Run& run_;
  Placer placer_;
};

template <class Placer>
std::unique_ptr<StreamingAlgorithm> make_streaming_of(Run& run) {
  return std::make_unique<Streaming<Placer>>(run);
}

// The same for a Placer<Segments> with one open window: where only one group is packed, it stands at the end
// of the output from the start.
template <template <class> class Placer>
std::unique_ptr<StreamingAlgorithm> make_with_one_window(Run& run) {
  if (run.trace != nullptr) return make_streaming_of<Placer<TracedSegments>>(run);
  if (run.options.homogeneity == Homogeneity::none) return make_streaming_of<Placer<TailSegments>>(run);
  return make_streaming_of<Placer<OwnSegments>>(run);
}

}  // namespace packscope
