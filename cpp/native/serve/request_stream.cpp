// SPDX-License-Identifier: MIT
#include "serve/request_stream.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace packscope::native {
namespace {

using std::chrono::milliseconds;

// Whether `socket` becomes ready for `events` in time.
bool wait_for(socket_t socket, short events, milliseconds longest) {
  pollfd entry{socket, events, 0};
  const auto timeout = static_cast<int>(std::max<milliseconds::rep>(longest.count(), 0));
  int ready = 0;
  do {
    ready = poll(&entry, 1, timeout);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

bool RequestStream::is_readable() const {
  const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - std::chrono::steady_clock::now());
  return room_ > 0 && left.count() > 0 && wait_for(socket_, POLLIN, left);
}

bool RequestStream::is_writable() const { return wait_for(socket_, POLLOUT, kLongestWrite); }

ssize_t RequestStream::read(char* into, std::size_t size) {
  if (!is_readable()) return -1;
  const ssize_t got = recv(socket_, into, std::min(size, room_), 0);
  if (got > 0) room_ -= static_cast<std::size_t>(got);
  return got;
}

ssize_t RequestStream::write(const char* from, std::size_t size) {
  if (!is_writable()) return -1;
  return send(socket_, from, size, MSG_NOSIGNAL);
}

// The server listens on loopback alone and asks neither.
void RequestStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}
void RequestStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace packscope::native
