// SPDX-License-Identifier: MIT
#include "ranks.hpp"

#include <cstdlib>

#ifdef PACKSCOPE_MPI
#include <mpi.h>
#endif

namespace packscope::native {

#ifdef PACKSCOPE_MPI

namespace {

// Joining takes a while, which a program that was started alone need not spend.
bool started_by_mpirun() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr ||
         std::getenv("PMIX_RANK") != nullptr;
}

}  // namespace

Ranks::Ranks() {
  if (!started_by_mpirun()) return;
  // Threads of ours never call MPI.
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Ranks::~Ranks() {
  int joined = 0;
  MPI_Initialized(&joined);
  if (joined != 0) MPI_Finalize();
}

void Ranks::meet() {
  if (count_ > 1) MPI_Barrier(MPI_COMM_WORLD);
}

void Ranks::share(std::string& text) {
  if (count_ == 1) return;
  unsigned long long size = text.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD);
}

void Ranks::end_all(int exit_code) {
  if (count_ > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

#else

Ranks::Ranks() = default;
Ranks::~Ranks() = default;
void Ranks::meet() {}
void Ranks::share(std::string&) {}
void Ranks::end_all(int exit_code) { std::_Exit(exit_code); }

#endif

}  // namespace packscope::native
