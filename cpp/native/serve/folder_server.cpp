// SPDX-License-Identifier: MIT
#include "serve/folder_server.hpp"

#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "message.hpp"
#include "serve/request_stream.hpp"
#include "serve/served_file.hpp"

namespace packscope::native {
namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr std::string_view kDataFolder = "data/";
constexpr std::size_t kThreads = 8;
constexpr std::size_t kPieceBytes = 64 << 10;

enum HttpStatus : int {
  kOk = 200,
  kPartialContent = 206,
  kNotFound = 404,
  kMethodNotAllowed = 405,
  kRangeNotSatisfiable = 416,
  kMisdirected = 421,
};

constexpr std::array<std::pair<std::string_view, const char*>, 8> kContentTypes{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".wasm", "application/wasm"},
    {".json", "application/json"},
    {".jsonl", "text/plain; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
}};

const char* content_type(std::string_view path) {
  for (const auto& [ending, type] : kContentTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

// 128 bits as hex digits; empty where the system has none to give.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  std::string text;
  for (const unsigned char byte : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// In a time that does not tell how much of it is right.
bool is_same(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size()) return false;
  int difference = 0;
  for (std::size_t i = 0; i < secret.size(); ++i) difference |= given[i] ^ secret[i];
  return difference == 0;
}

void refuse(httplib::Response& response, int status, const char* message) {
  response.status = status;
  response.set_content(message, "text/plain; charset=utf-8");
}

void send_bytes(httplib::Response& response, const ServedFile& file, const ByteRange& range,
                const char* type) {
  const auto length = static_cast<std::size_t>(range.end - range.begin);
  if (length == 0) return response.set_content("", type);
  response.set_content_provider(
      length, type, [file, range](std::size_t offset, std::size_t wanted, httplib::DataSink& sink) {
        std::array<char, kPieceBytes> piece;
        const std::span<char> into = std::span(piece).first(std::min(piece.size(), wanted));
        const std::size_t got = file.read(range.begin + offset, into);
        return got > 0 && sink.write(piece.data(), got);
      });
}

void send_file(const httplib::Request& request, httplib::Response& response, const ServedFile& file,
               const char* type) {
  ByteRange range{0, file.size()};
  response.status = kOk;
  if (request.has_header("Range")) {
    const std::optional<ByteRange> asked = byte_range(request.get_header_value("Range"), file.size());
    if (!asked) {
      response.set_header("Content-Range", concat("bytes */", file.size()));
      return refuse(response, kRangeNotSatisfiable, "One range of bytes inside the file can be read.\n");
    }
    range = *asked;
    response.status = kPartialContent;
    response.set_header("Content-Range", concat("bytes ", range.begin, "-", range.end - 1, "/", file.size()));
  }
  send_bytes(response, file, range, type);
}

// Two servers must not share a port, as the library's own options would let them.
void reuse_address(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

}  // namespace

class FolderServer::Server : private httplib::Server {
 public:
  Server(std::string page, std::string data, std::string token)
      : page_(std::move(page)), data_(std::move(data)), token_(std::move(token)) {
    new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    set_socket_options(reuse_address);
    set_default_headers({{"Accept-Ranges", "bytes"},
                         {"Cache-Control", "no-store"},
                         {"Cross-Origin-Resource-Policy", "same-origin"},
                         {"Content-Security-Policy", "frame-ancestors 'none'"},
                         {"Referrer-Policy", "no-referrer"},
                         {"X-Content-Type-Options", "nosniff"}});
    // Before the library looks for a handler, or reads a body.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
  }

  bool bind(std::uint16_t port) {
    port_ = port;
    if (port != 0) return bind_to_port(kHost, port);
    port_ = bind_to_any_port(kHost);
    return port_ > 0;
  }

  bool serve() { return listen_after_bind(); }

  [[nodiscard]] std::string url() const {
    return concat("http://", kHost, ":", port_, "/", token_, "/#data=", kDataFolder);
  }

 private:
  // One request a connection: what a client sends behind it is never read as another.
  bool process_and_close_socket(socket_t socket) override {
    RequestStream stream(socket);
    bool closed = false;
    // answer() reads the range itself; the library would trust it.
    const bool done =
        process_request(stream, true, closed, [](httplib::Request& request) { request.ranges.clear(); });
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return done;
  }

  // A page of another site may send requests here under a name of its own, which the browser tells as Host.
  [[nodiscard]] bool is_host(const httplib::Request& request) const {
    if (request.get_header_value_count("Host") != 1) return false;
    const std::string host = request.get_header_value("Host");
    return host == concat(kHost, ":", port_) || host == concat("localhost:", port_);
  }

  void answer(const httplib::Request& request, httplib::Response& response) const {
    if (!is_host(request)) return refuse(response, kMisdirected, "This server answers to 127.0.0.1 only.\n");
    if (request.method != "GET" && request.method != "HEAD") {
      response.set_header("Allow", "GET, HEAD");
      return refuse(response, kMethodNotAllowed, "Files can be read here, and nothing else.\n");
    }
    const std::string_view path =
        std::string_view(request.path).substr(request.path.starts_with('/') ? 1 : 0);
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos || !is_same(path.substr(0, slash), token_)) {
      return refuse(response, kNotFound, "Open the address that packscope view printed.\n");
    }
    send(request, response, path.substr(slash + 1));
  }

  void send(const httplib::Request& request, httplib::Response& response, std::string_view path) const {
    const bool is_data = path.starts_with(kDataFolder);
    if (is_data) path.remove_prefix(kDataFolder.size());
    if (path.empty() && !is_data) path = "index.html";
    const std::optional<ServedFile> file = ServedFile::open(is_data ? data_ : page_, path);
    if (!file) return refuse(response, kNotFound, "There is no such file.\n");
    send_file(request, response, *file, content_type(path));
  }

  std::string page_;
  std::string data_;
  std::string token_;
  int port_ = 0;
};

FolderServer::FolderServer(std::unique_ptr<Server> server) : server_(std::move(server)) {}
FolderServer::FolderServer(FolderServer&&) noexcept = default;
FolderServer& FolderServer::operator=(FolderServer&&) noexcept = default;
FolderServer::~FolderServer() = default;

Result<FolderServer> FolderServer::open(const std::string& page, const std::string& data,
                                        std::uint16_t port) {
  std::error_code error;
  const std::string real_page = std::filesystem::canonical(page, error).string();
  if (error) return Error{ErrorCode::io_error, concat("cannot read ", page, ": ", error.message())};
  const std::string real_data = std::filesystem::canonical(data, error).string();
  if (error) return Error{ErrorCode::io_error, concat("cannot read ", data, ": ", error.message())};
  const std::string token = random_token();
  if (token.empty()) return system_error("cannot get random numbers for", "the address");
  auto server = std::make_unique<Server>(real_page, real_data, token);
  if (!server->bind(port)) {
    return bad_usage("--port ", port, " of ", kHost,
                     " cannot be had: another program uses it; take another, or "
                     "leave --port out for any that is free");
  }
  return FolderServer(std::move(server));
}

std::string FolderServer::url() const { return server_->url(); }

Status FolderServer::run() {
  if (server_->serve()) return {};
  return Error{ErrorCode::io_error, "the server ended: no more connections can be taken"};
}

}  // namespace packscope::native
