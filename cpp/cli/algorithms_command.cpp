// SPDX-License-Identifier: MIT
// packscope algorithms: the registry, for people or as JSON.
#include "packscope/algorithms.hpp"

#include "command.hpp"
#include "files/json_writer.hpp"
#include "message.hpp"

namespace packscope::cli {
namespace {

std::string algorithms_json() {
  native::JsonWriter json(native::JsonWriter::Layout::indented);
  json.begin_array();
  for (const AlgorithmInfo& info : algorithms()) {
    json.begin_object()
        .member("name", info.name)
        .member("title", info.title)
        .member("kind", algorithm_kind_name(info.kind))
        .member("splits", info.splits)
        .member("options", info.options)
        .member("rule", info.rule)
        .member("complexity", info.complexity)
        .member("guarantee", info.guarantee)
        .member("use", info.use)
        .member("source", info.source)
        .end_object();
  }
  json.end_array();
  return json.text() + "\n";
}

std::string algorithm_text(const AlgorithmInfo& info) {
  std::string text = std::string(info.name) + "   " + std::string(algorithm_kind_name(info.kind)) +
                     (info.splits ? ", may cut documents" : ", keeps documents whole") + "\n";
  text += "  " + std::string(info.rule) + "\n";
  text += "  Use: " + std::string(info.use) + "\n";
  text += "  Guarantee: " + std::string(info.guarantee) + "\n";
  if (!info.options.empty()) text += "  Options: " + std::string(info.options) + "\n";
  return text;
}

}  // namespace

Result<int> run_algorithms(const Arguments& arguments) {
  if (!arguments.operands.empty()) {
    return native::bad_usage("algorithms takes no operand, but '", arguments.operands[0], "' is given");
  }
  if (arguments.has("json")) {
    print(stdout, algorithms_json());
    return kDone;
  }
  std::string text;
  for (const AlgorithmInfo& info : algorithms()) text += (text.empty() ? "" : "\n") + algorithm_text(info);
  print(stdout, text);
  return kDone;
}

}  // namespace packscope::cli
