// SPDX-License-Identifier: MIT
// Reads JSON lines over and over in one process, so that memory is warm, for tests/bench/json_lines.py.
//   read_json_lines FILE ROUNDS tokens|lengths [TEXT_FIELD]    prints a line "SECONDS TOKENS" for each round
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "input/read_input.hpp"

int main(int argc, char** argv) {
  using namespace packscope::native;
  if (argc < 4) return 2;
  // What one round frees the next one takes, instead of asking the system for new pages.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  const std::string paths[] = {argv[1]};
  ReadOptions options;
  options.input = InputKind::jsonl;
  options.lengths_only = std::string_view(argv[3]) == "lengths";
  if (argc > 4) options.text_fields = {argv[4]};
  for (int round = std::atoi(argv[2]); round > 0; --round) {
    const std::clock_t begin = std::clock();
    const auto corpus = read_input(paths, options, {});
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (!corpus) {
      std::fprintf(stderr, "%s\n", corpus.error().message.c_str());
      return 1;
    }
    std::printf("%.6f %llu\n", seconds, static_cast<unsigned long long>(corpus->token_count()));
  }
}
