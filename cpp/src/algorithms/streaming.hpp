// SPDX-License-Identifier: MIT
// Makes a streaming algorithm of a placer, which says where one piece goes. The loop over documents is
// compiled with each placer, so that a document costs no call.
#pragma once

#include <memory>

#include "algorithms/algorithm.hpp"
#include "pieces.hpp"

namespace packscope {

// A Placer is made from a Run and has place(const Piece&), flush() and kCutsDocuments: whether it
// gets documents uncut, of any length.
template <class Placer>
class Streaming final : public StreamingAlgorithm {
 public:
  explicit Streaming(Run& run) : run_(run), placer_(run) {}

  void push(const DocumentSet& documents, std::size_t first, std::size_t last) override {
    for (std::size_t i = first; i < last; ++i) push(documents, documents.index(i));
  }

  void flush() override { placer_.flush(); }

 private:
  void push(const DocumentSet& documents, std::uint32_t index) {
    const std::uint32_t document = documents.first_document + index;
    const std::uint32_t source = documents.source(index);
    const std::uint32_t n = documents.lengths[index];
    DocumentLayout layout;
    if (!take_in(run_.rules, run_.ledger[source], n, documents.duplicate(index), layout)) return;
    if constexpr (Placer::kCutsDocuments) {
      placer_.place(uncut_piece(run_.rules, document, layout, layout.kept() < n, source));
    } else {
      visit_planned_pieces(run_, document, layout, source, [&](const Piece& piece) { placer_.place(piece); });
    }
  }

  Run& run_;
  Placer placer_;
};

template <class Placer>
std::unique_ptr<StreamingAlgorithm> make_streaming_of(Run& run) {
  return std::make_unique<Streaming<Placer>>(run);
}

}  // namespace packscope
