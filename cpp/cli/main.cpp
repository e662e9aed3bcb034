// SPDX-License-Identifier: MIT
// The program: finds the command, runs it, and turns its result into an exit code.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include "command.hpp"
#include "files/file_writer.hpp"
#include "help.hpp"
#include "input/input_files.hpp"
#include "interrupts.hpp"
#include "message.hpp"
#include "output/manifest.hpp"
#include "output/pending_output.hpp"

namespace packscope::cli {
namespace {

const CommandInfo* find_command(std::string_view name) {
  for (const CommandInfo& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

int fail(const Error& error) {
  if (native::is_broken_pipe(error)) return kDone;
  print(stderr,
        "packscope: " + std::string(error_code_name(error.code)) + ": " + printable(error.message) + "\n");
  if (const std::string kept = native::kept_output(); !kept.empty())
    print(stderr, "packscope: note: " + std::string(native::kKeptShards) + printable(kept) + "\n");
  return exit_code(error);
}

// Folders and patterns become the files that they name, before anything looks at them.
Status find_inputs(const CommandInfo& command, Arguments& arguments) {
  const auto against = arguments.values.find("against");
  const bool reads_operands = command.operands == "INPUT...";
  if (!reads_operands && against == arguments.values.end()) return {};
  std::vector<std::string>& inputs = reads_operands ? arguments.operands : against->second;
  Result<std::vector<std::string>> files = native::input_files(inputs);
  if (!files) return files.error();
  inputs = *std::move(files);
  return {};
}

Result<int> dispatch(const CommandInfo& command, const Arguments& arguments) {
  switch (command.command) {
    case kPack:
      return run_pack(arguments);
    case kCompare:
      return run_compare(arguments);
    case kStats:
      return run_stats(arguments);
    case kVerify:
      return run_verify(arguments);
    case kAlgorithms:
      return run_algorithms(arguments);
    case kShow:
      return run_show(arguments);
    case kMask:
      return run_mask(arguments);
    case kRender:
      return run_render(arguments);
    case kView:
      return run_view(arguments);
    case kLengths:
      return run_lengths(arguments);
    case kPlan:
      return run_plan(arguments);
    case kMaterialize:
      return run_materialize(arguments);
  }
  return kBadUsage;
}

int run(std::span<char* const> words) {
  const std::string_view first = words.empty() ? std::string_view() : words[0];
  if (first.empty()) {
    print(stderr, general_help());
    return kBadUsage;
  }
  if (first == "--help" || first == "-h" || first == "help") {
    print(stdout, general_help());
    return kDone;
  }
  if (first == "--version") {
    print(stdout, "packscope " + std::string(native::version_text()) + "\n");
    return kDone;
  }
  const CommandInfo* command = find_command(first);
  if (!command) {
    std::vector<std::string> names;
    for (const CommandInfo& known : commands()) names.emplace_back(known.name);
    return fail(native::bad_usage("there is no command '", first, "'", did_you_mean(first, names),
                                  " See packscope --help"));
  }
  Result<Arguments> arguments = parse_arguments(*command, words.subspan(1));
  if (!arguments) return fail(arguments.error());
  if (arguments->help) {
    print(stdout, command_help(*command));
    return kDone;
  }
  if (Status found = find_inputs(*command, *arguments); !found) return fail(found.error());
  Result<int> code = dispatch(*command, *arguments);
  return code ? *code : fail(code.error());
}

// A report that could not be written is a failure, unless nobody reads on.
int flush_output(int code) {
  // A refusal while printing leaves errno and the stream's mark, but nothing for fflush to do.
  if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || errno == EPIPE) return code;
  print(stderr,
        "packscope: io_error: cannot write to standard output: " + std::string(std::strerror(errno)) + "\n");
  return kBadData;
}

}  // namespace
}  // namespace packscope::cli

int main(int argc, char** argv) {
  using namespace packscope::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that left is seen when writing,
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a limit on the size of files
  try {
    packscope::native::end_on_signals();
    return flush_output(run({argv + (argc > 0 ? 1 : 0), static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)}));
  } catch (const std::bad_alloc&) {
    print(stderr,
          "packscope: out_of_memory: there is not enough memory; read less with --limit-documents, or write "
          "the plan alone with --plan-only\n");
  } catch (const std::exception& error) {
    print(stderr, "packscope: internal: " + std::string(error.what()) + "\n");
  }
  return kBadData;
}
