// SPDX-License-Identifier: MIT
// A connection that sends one request: cpp-httplib reads it through here, where it can be neither endless nor
// endlessly slow.
#pragma once

#include <httplib.h>

#include <chrono>

namespace packscope::native {

class RequestStream : public httplib::Stream {
 public:
  // Request line, headers and body together; a browser sends about 1 kB.
  static constexpr std::size_t kMostRequestBytes = 16 << 10;
  static constexpr std::chrono::seconds kLongestRequest{10};
  static constexpr std::chrono::seconds kLongestWrite{30};

  // The caller closes `socket`.
  explicit RequestStream(socket_t socket)
      : socket_(socket), deadline_(std::chrono::steady_clock::now() + kLongestRequest) {}

  [[nodiscard]] bool is_readable() const override;
  [[nodiscard]] bool is_writable() const override;
  ssize_t read(char* into, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  socket_t socket_;
  std::chrono::steady_clock::time_point deadline_;
  std::size_t room_ = kMostRequestBytes;
};

}  // namespace packscope::native
