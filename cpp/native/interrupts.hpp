// SPDX-License-Identifier: MIT
// Ctrl-C, a terminal that closes, a scheduler that stops the job, a mapped file that shrinks: nothing
// half-written stays behind.
#pragma once

namespace packscope::native {

// From now on SIGINT, SIGTERM and SIGHUP remove pending output, say so on standard error and end the
// program with 128 + signal. Reading a mapped file where it has none any more does so too, with an error and
// 1. A signal that is ignored, as under nohup, stays so. Call once, before other
// threads.
void end_on_signals();

}  // namespace packscope::native
