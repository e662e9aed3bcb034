// SPDX-License-Identifier: MIT
// A web server for one person: the visualizer's page and one output folder, on loopback, behind an address
// that nobody can guess.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "packscope/result.hpp"

namespace packscope::native {

// What is served lies below http://127.0.0.1:PORT/TOKEN/: the page's files, and in data/ those of the output
// folder. Refused are other hosts in the Host header, other methods than GET and HEAD, other tokens, and what
// lies outside the two folders.
class FolderServer {
 public:
  // Takes `port` at once, 0 for any that is free.
  static Result<FolderServer> open(const std::string& page, const std::string& data, std::uint16_t port);

  FolderServer(FolderServer&&) noexcept;
  FolderServer& operator=(FolderServer&&) noexcept;
  ~FolderServer();

  // Where the page opens with the folder.
  [[nodiscard]] std::string url() const;

  // Serves until the program ends.
  Status run();

 private:
  class Server;
  explicit FolderServer(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

}  // namespace packscope::native
