// SPDX-License-Identifier: MIT
// Requests of any bytes to the server of packscope view: it answers, gives nothing without its token, and
// never a byte from outside its two folders.
#include <arpa/inet.h>
#include <sys/socket.h>

#include <thread>

#include "fuzzed_folder.hpp"
#include "serve/folder_server.hpp"
#include "serve/served_file.hpp"

namespace packscope_fuzz {
namespace {

using namespace packscope;

const std::string kServed = "what the folders hold";
const std::string kSecret = "what lies outside";

class Server {
 public:
  Server() {
    outside_.store("file.txt", kSecret);
    page_.store("index.html", kServed);
    data_.store("manifest.json", kServed);
    data_.store(".hidden", kSecret);
    const std::string link = data_.path() + "/link.txt";
    expect(symlink((outside_.path() + "/file.txt").c_str(), link.c_str()) == 0, "a link can be made");
    auto opened = native::FolderServer::open(page_.path(), data_.path(), 0);
    expect_value(opened, "a server can be had");
    const std::string url = opened->url();  // http://127.0.0.1:PORT/TOKEN/#..
    const std::size_t token_at = url.find('/', url.rfind(':')) + 1;
    host_ = url.substr(7, token_at - 8);
    token_ = url.substr(token_at, url.find('/', token_at) - token_at);
    std::thread([server = std::move(*opened)]() mutable { (void)server.run(); }).detach();
    const std::string sound = answer("GET /" + token_ + "/ HTTP/1.1\r\nHost: " + host_ + "\r\n\r\n");
    expect(sound.ends_with(kServed), "a sound request is answered", sound);
  }

  [[nodiscard]] const std::string& host() const { return host_; }
  [[nodiscard]] const std::string& token() const { return token_; }

  // What comes back; nothing where no connection is to be had.
  [[nodiscard]] std::string answer(const std::string& request) const {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(host_.substr(host_.find(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string all;
    if (connect(client, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
      (void)send(client, request.data(), request.size(), MSG_NOSIGNAL);
      shutdown(client, SHUT_WR);
      char piece[4096];
      for (ssize_t got = 0; (got = recv(client, piece, sizeof piece, 0)) > 0;) {
        all.append(piece, static_cast<std::size_t>(got));
      }
    }
    close(client);
    return all;
  }

 private:
  FuzzedFolder outside_;
  FuzzedFolder page_;
  FuzzedFolder data_;
  std::string host_;
  std::string token_;
};

// Mostly one that the server understands.
std::string choose_request(FuzzedDataProvider& data, const Server& server) {
  if (data.ConsumeIntegralInRange(0, 7) == 0) return data.ConsumeRandomLengthString();
  std::string request = data.PickValueInArray({"GET", "HEAD", "POST", "OPTIONS"});
  request += " /" + (data.ConsumeBool() ? server.token() : data.ConsumeRandomLengthString(40)) + "/";
  request += data.PickValueInArray({"", "index.html", "data/", "data/manifest.json", "data/link.txt",
                                    "data/.hidden", "data/../", "data/%2e%2e/", "data//"});
  request += data.ConsumeRandomLengthString(60) + " HTTP/1.1\r\n";
  if (data.ConsumeBool()) request += "Host: " + server.host() + "\r\n";
  if (data.ConsumeBool()) request += "Range: bytes=" + data.ConsumeRandomLengthString(30) + "\r\n";
  if (data.ConsumeBool()) request += data.ConsumeRandomLengthString(200);
  return request + "\r\n" + data.ConsumeRandomLengthString(200);
}

void expect_sound_range(const std::string& header, std::uint64_t size) {
  const auto range = native::byte_range(header, size);
  expect(!range || (range->begin < range->end && range->end <= size), "a range lies in its file", header);
}

}  // namespace
}  // namespace packscope_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace packscope_fuzz;
  static const Server server;
  FuzzedDataProvider data(bytes, size);
  const std::string request = choose_request(data, server);
  const std::string answer = server.answer(request);
  expect(answer.find(kSecret) == std::string::npos, "nothing outside the folders is given", request);
  const bool may_see = request.find(server.token()) != std::string::npos;
  expect(may_see || answer.find(kServed) == std::string::npos, "nothing is given without the token", request);
  expect_sound_range("bytes=" + data.ConsumeRandomLengthString(30), data.ConsumeIntegral<std::uint64_t>());
  return 0;
}
