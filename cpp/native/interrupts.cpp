// SPDX-License-Identifier: MIT
#include "interrupts.hpp"

#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

#include "output/pending_output.hpp"

namespace packscope::native {
namespace {

constexpr int kFileShrank = SIGUSR1;  // whose default is to end the program as well

volatile std::sig_atomic_t file_shrank = 0;

// In the thread that read. Little is safe here: the waiting thread does the rest.
void on_bus_error(int) {
  file_shrank = 1;
  kill(getpid(), kFileShrank);
  while (true) pause();
}

[[noreturn]] void end(int signal) {
  const std::string kept = abandon_pending_output();
  const std::string left = kept.empty() ? "nothing unfinished is kept" : std::string(kKeptShards) + kept;
  if (signal == kFileShrank && file_shrank != 0) {
    std::fprintf(stderr,
                 "packscope: io_error: a file became shorter while it was read, or its disk failed; %s\n",
                 left.c_str());
    _exit(1);
  }
  std::fprintf(stderr, "packscope: interrupted by signal %d; %s\n", signal, left.c_str());
  _exit(128 + signal);
}

}  // namespace

// A thread waits for the signals, so that what it does need not be safe inside a signal handler.
void end_on_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, kFileShrank}) {
    struct sigaction current {};
    const bool known = sigaction(signal, nullptr, &current) == 0;
    if (known && current.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    if (sigwait(&signals, &signal) == 0) end(signal);
  }).detach();
  std::signal(SIGBUS, on_bus_error);
}

}  // namespace packscope::native
