// SPDX-License-Identifier: MIT
// The registry: one row for each algorithm, in the order of the enum.
#include <array>

#include "packscope/algorithms.hpp"

namespace packscope {
namespace {

constexpr AlgorithmInfo kAlgorithms[] = {
    {
        .algorithm = Algorithm::pad,
        .name = "pad",
        .title = "One per window",
        .kind = AlgorithmKind::baseline,
        .splits = false,
        .options = "",
        .rule = "Every document gets a window of its own.",
        .complexity = "O(documents)",
        .guarantee = "None: this is what packing saves you from.",
        .use = "To measure what padding costs.",
        .source = "The usual padded batch.",
    },
    {
        .algorithm = Algorithm::wrap,
        .name = "wrap",
        .title = "Wrap",
        .kind = AlgorithmKind::streaming,
        .splits = true,
        .options = "tail",
        .rule = "All tokens form one first-in first-out stream that is cut every context_length tokens.",
        .complexity = "O(documents + windows)",
        .guarantee = "The fewest windows possible; at most one short window for each group and flush.",
        .use = "Pre-training, where every token counts and cut documents are acceptable.",
        .source = "Concatenate-and-chop, as in GPT-2 and GPT-3 pre-training (Brown et al. 2020, appendix B).",
    },
    {
        .algorithm = Algorithm::next_fit,
        .name = "next_fit",
        .title = "Next-fit",
        .kind = AlgorithmKind::streaming,
        .splits = false,
        .options = "min_room",
        .rule = "One window is open. A document that does not fit closes it and opens the next.",
        .complexity = "O(documents)",
        .guarantee = "At most 2 times the optimum; keeps the order of documents.",
        .use = "When order must be kept, or as the simplest stream.",
        .source = "Johnson 1973, Near-optimal bin packing algorithms.",
    },
    {
        .algorithm = Algorithm::first_fit,
        .name = "first_fit",
        .title = "First-fit",
        .kind = AlgorithmKind::streaming,
        .splits = false,
        .options = "open_windows, evict, min_room",
        .rule = "A document goes to the earliest opened window with room for it.",
        .complexity = "O(documents * log open_windows)",
        .guarantee = "At most 1.7 times the optimum with unlimited open_windows.",
        .use = "Streams of fine-tuning data that must stay whole.",
        .source = "Johnson et al. 1974, SIAM J. Comput. 3(4); tight factor: Dosa and Sgall 2013.",
    },
    {
        .algorithm = Algorithm::best_fit,
        .name = "best_fit",
        .title = "Best-fit",
        .kind = AlgorithmKind::streaming,
        .splits = false,
        .options = "open_windows, evict, min_room",
        .rule = "A document goes to the open window that it would leave with the least room.",
        .complexity = "O(documents * log open_windows)",
        .guarantee = "At most 1.7 times the optimum with unlimited open_windows.",
        .use = "Streams that must stay whole; a little denser than first-fit.",
        .source = "Johnson et al. 1974, SIAM J. Comput. 3(4); tight factor: Dosa and Sgall 2014.",
    },
    {
        .algorithm = Algorithm::worst_fit,
        .name = "worst_fit",
        .title = "Worst-fit",
        .kind = AlgorithmKind::streaming,
        .splits = false,
        .options = "open_windows, evict, min_room",
        .rule = "A document goes to the open window with the most room.",
        .complexity = "O(documents * log open_windows)",
        .guarantee = "At most 2 times the optimum with unlimited open_windows.",
        .use = "To spread documents evenly over windows; as a comparison.",
        .source = "Johnson 1973, Near-optimal bin packing algorithms.",
    },
    {
        .algorithm = Algorithm::best_fit_wrap,
        .name = "best_fit_wrap",
        .title = "Best-fit wrap",
        .kind = AlgorithmKind::streaming,
        .splits = true,
        .options = "candidate_pool",
        .rule = "Windows are filled from a pool with the longest candidate that fits; when none fits, the "
                "shortest is cut to fill the window.",
        .complexity = "O(documents * log candidate_pool)",
        .guarantee = "Every window is full but the last of a flush; at most one document is cut in each; who "
                     "has waited "
                     "for 8 * candidate_pool others goes first.",
        .use = "Pre-training with far fewer cuts than wrap and no padding.",
        .source = "Packscope; after the best_fit_wrap operator of training pipelines and best-fit packing "
                  "(Ding et al. 2024, Fewer Truncations Improve Language Modeling).",
    },
    {
        .algorithm = Algorithm::first_fit_decreasing,
        .name = "first_fit_decreasing",
        .title = "First-fit decreasing",
        .kind = AlgorithmKind::offline,
        .splits = false,
        .options = "min_room",
        .rule = "Documents from longest to shortest, each to the earliest opened window with room for it.",
        .complexity =
            "O(documents + distinct (length, room) steps * log context_length), on the length histogram",
        .guarantee = "At most 11/9 of the optimum + 6/9 windows.",
        .use = "Like best_fit_decreasing.",
        .source =
            "Johnson 1973; tight bound: Dosa 2007. On histograms for language models: Krell et al. 2021, "
            "Efficient Sequence Packing without Cross-contamination.",
    },
    {
        .algorithm = Algorithm::best_fit_decreasing,
        .name = "best_fit_decreasing",
        .title = "Best-fit decreasing",
        .kind = AlgorithmKind::offline,
        .splits = false,
        .options = "min_room",
        .rule = "Documents from longest to shortest, each to the window that it leaves with the least room.",
        .complexity =
            "O(documents + distinct (length, room) steps * log context_length), on the length histogram",
        .guarantee = "At most 11/9 of the optimum + 4 windows; in practice within a few of the lower bound.",
        .use = "The default: whole documents, the least padding.",
        .source = "Johnson 1973. For language models: Ding et al. 2024, Fewer Truncations Improve Language "
                  "Modeling; on histograms: Krell et al. 2021.",
    },
    {
        .algorithm = Algorithm::first_fit_shuffle,
        .name = "first_fit_shuffle",
        .title = "First-fit shuffled",
        .kind = AlgorithmKind::offline,
        .splits = false,
        .options = "min_room, seed",
        .rule =
            "Documents in an order shuffled by seed, each to the earliest opened window with room for it.",
        .complexity = "O(documents * log windows)",
        .guarantee = "At most 1.7 times the optimum; mixes long and short documents in a window.",
        .use = "When windows should be random mixtures and a little padding is acceptable.",
        .source =
            "First-fit (Johnson et al. 1974) on a random order, as in the NeMo packed-sequence recipes.",
    },
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kAlgorithms); ++i) {
    if (static_cast<std::size_t>(kAlgorithms[i].algorithm) != i) return false;
  }
  return true;
}
static_assert(in_order(), "rows stand in the order of the enum");

}  // namespace

std::span<const AlgorithmInfo> algorithms() { return kAlgorithms; }

const AlgorithmInfo& algorithm_info(Algorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

std::string_view algorithm_kind_name(AlgorithmKind kind) {
  constexpr std::string_view kNames[] = {"baseline", "streaming", "offline"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace packscope
