// SPDX-License-Identifier: MIT
// The processes that do one run together, started by mpirun. Without MPI, or started alone, there is one.
#pragma once

#include <string>

namespace packscope::native {

class Ranks {
 public:
  // Joins the others, where this process was started as one of several. Once in a program.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int rank() const { return rank_; }    // this process, from 0
  [[nodiscard]] int count() const { return count_; }  // of processes
  [[nodiscard]] bool is_first() const { return rank_ == 0; }

  // Waits until all are here.
  void meet();

  // What the first rank has in `text`, for all.
  void share(std::string& text);

  // Ends every rank at once; nothing after it runs.
  [[noreturn]] void end_all(int exit_code);

 private:
  int rank_ = 0;
  int count_ = 1;
};

}  // namespace packscope::native
