// SPDX-License-Identifier: MIT
// pad: one document in each window. The baseline that packing is measured against.
#include "algorithms/streaming.hpp"

namespace packscope {
namespace {

class Pad {
 public:
  static constexpr bool kPlacesBlocks = true;
  static constexpr bool kCutsDocuments = false;

  explicit Pad(Run& run) : run_(run) {}

  void place(const Piece& piece) { emit_alone(run_, piece.segment); }
  void flush() {}

  [[nodiscard]] bool places_blocks() const { return run_.trace == nullptr; }

  std::size_t place_run(const DocumentSet& documents, std::size_t first, std::size_t last, TailBlock& block) {
    const std::uint32_t longest = run_.rules.longest_whole_document();
    const std::uint32_t added = run_.rules.added();
    TailWriter out = block.writer();
    std::size_t index = first;
    for (; index < last; ++index) {
      const std::uint32_t n = documents.lengths[index];
      if (n - 1 >= longest) break;  // an empty one, too
      out.push({documents.first_document + static_cast<std::uint32_t>(index), 0, n + added});
      out.close();
    }
    run_.ledger.front().separators_added += (index - first) * added;
    block.writer() = out;
    return index;
  }

  void append(const Piece& piece, TailWriter& tail) {
    tail.push(piece.segment);
    tail.close();
  }

 private:
  Run& run_;
};

}  // namespace

std::unique_ptr<StreamingAlgorithm> make_pad(Run& run) { return make_streaming_of<Pad>(run); }

}  // namespace packscope
