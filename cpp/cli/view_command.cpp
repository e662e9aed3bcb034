// SPDX-License-Identifier: MIT
// packscope view: an output folder in the browser, read as far as it is looked at.
#include "command.hpp"
#include "files/json_writer.hpp"
#include "message.hpp"
#include "output/manifest.hpp"
#include "serve/folder_server.hpp"
#include "serve/page_folder.hpp"

namespace packscope::cli {
namespace {

std::string address_json(const std::string& folder, const std::string& url) {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_object().member("command", "view").member("output", folder).member("url", url).end_object();
  return json.text() + "\n";
}

Result<std::uint16_t> port_from(const Arguments& arguments) {
  if (!arguments.has("port")) return std::uint16_t{0};
  const Result<std::uint64_t> port = parse_number("port", arguments.get("port"), 1, UINT16_MAX);
  if (!port) return port.error();
  return static_cast<std::uint16_t>(*port);
}

}  // namespace

Result<int> run_view(const Arguments& arguments) {
  if (arguments.operands.size() != 1)
    return native::bad_usage("view needs one output folder of packscope pack");
  const std::string& folder = arguments.operands[0];
  const Result<native::Manifest> manifest = native::read_manifest(folder);
  if (!manifest) return manifest.error();
  const Result<std::uint16_t> port = port_from(arguments);
  if (!port) return port.error();
  const Result<std::string> page = native::page_folder(arguments.get("page"));
  if (!page) return page.error();
  Result<native::FolderServer> server = native::FolderServer::open(*page, folder, *port);
  if (!server) return server.error();
  print(stdout, arguments.has("json") ? address_json(folder, server->url()) : server->url() + "\n");
  std::fflush(stdout);  // who started this waits for it
  Talk(arguments.has("quiet")).note("open that address in a browser; Ctrl-C ends the server");
  if (Status ended = server->run(); !ended) return ended.error();
  return kDone;
}

}  // namespace packscope::cli
