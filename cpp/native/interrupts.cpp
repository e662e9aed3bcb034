// SPDX-License-Identifier: MIT
#include "interrupts.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>

#include "output/pending_output.hpp"

namespace packscope::native {

// A thread waits for the signals, so that what it does need not be safe inside a signal handler.
void end_on_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current {};
    const bool known = sigaction(signal, nullptr, &current) == 0;
    if (known && current.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) return;
    const std::string kept = abandon_pending_output();
    const char* const left =
        kept.empty() ? "nothing was written" : "finished shards are kept, --resume goes on: ";
    std::fprintf(stderr, "packscope: interrupted by signal %d; %s%s\n", signal, left, kept.c_str());
    _exit(128 + signal);
  }).detach();
}

}  // namespace packscope::native
