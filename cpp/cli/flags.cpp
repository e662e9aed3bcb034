// SPDX-License-Identifier: MIT
#include "flags.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "input/read_options.hpp"
#include "message.hpp"
#include "output/manifest.hpp"
#include "packscope/options.hpp"

namespace packscope::cli {
namespace {

using native::bad_usage;

constexpr std::size_t kHelpColumn = 30;
constexpr std::size_t kHelpWidth = 96;

constexpr CommandInfo kCommands[] = {
    {kPack, "pack", "INPUT...", "Pack documents into windows and write the arrays a trainer loads.",
     "packscope pack train.jsonl --text-field question,answer -L 2048 -a best_fit_decreasing -o out"},
    {kCompare, "compare", "INPUT...", "Show what every algorithm would make of the same documents.",
     "packscope compare lengths.hist.tsv -L 512,2048 -a all"},
    {kStats, "stats", "OUT", "Show the report of an output folder again.", "packscope stats out"},
    {kVerify, "verify", "OUT", "Prove, token by token, that an output folder holds its input.",
     "packscope verify out --against train.jsonl"},
    {kShow, "show", "OUT", "Show one window in the terminal: its documents and its attention mask.",
     "packscope show out --window 412"},
    {kMask, "mask", "OUT", "Write the attention mask of one window: as text, .npy or .png.",
     "packscope mask out --window 412 -o mask.png"},
    {kRender, "render", "OUT", "Draw all windows, or a range of them, as a PNG picture.",
     "packscope render out -o windows.png --windows 0:40"},
    {kView, "view", "OUT", "Serve an output folder to the visualizer in a browser of this computer.",
     "packscope view out"},
    {kLengths, "lengths", "INPUT...",
     "Read input once into a folder that plan and materialize read from: the first step on many machines.",
     "packscope lengths part-00.jsonl --text-field text -o part-00.corpus"},
    {kPlan, "plan", "INPUT...", "Plan all windows and write none: the second step, on one machine.",
     "packscope plan *.corpus -L 2048 -a best_fit_decreasing --shard-windows 100000 -o out"},
    {kMaterialize, "materialize", "PLAN",
     "Write shards of a plan: the last step, on as many machines as there are.",
     "packscope materialize out --windows 0:100000"},
    {kAlgorithms, "algorithms", "", "List the algorithms, what they do and which options they read.",
     "packscope algorithms"},
};

const std::vector<Flag>& program_flags() {
  static const std::vector<Flag> flags{
      {"output",
       'o',
       "OUT",
       "Folder for the arrays, or file for --format jsonl and sequences; - writes windows to standard "
       "output. "
       "Without it only the report is made.",
       "Output",
       kPack,
       {},
       false},
      {"format",
       0,
       "FORMAT",
       "A folder with manifest.json whose arrays of windows are npy: a file each, npz: all in windows.npz, "
       "safetensors: all in windows.safetensors, megatron: input_ids as .bin and .idx, the rest as .npy. Or "
       "jsonl: one object a window. sequences: the original records of each window. Default: npy, or jsonl "
       "for - and names in .jsonl.",
       "Output",
       kPack | kPlan,
       {},
       false},
      {"input-ids-dtype",
       0,
       "int32|uint16|auto",
       "Width of input_ids in a folder. auto: uint16 where every id fits. Default: int32.",
       "Output",
       kPack | kPlan,
       {},
       false},
      {"force",
       0,
       "",
       "Replace a file that stands where the output goes. Output folders of packscope are replaced without "
       "it.",
       "Output",
       kPack,
       {},
       false},
      {"ledger-ids",
       0,
       "",
       "Also write ledger.jsonl: every document that was not packed whole, and why.",
       "Output",
       kPack | kPlan,
       {},
       false},
      {"plan-only",
       0,
       "",
       "Write which piece of which document stands where, without any tokens.",
       "Output",
       kPack,
       {},
       false},
      {"stream",
       0,
       "",
       "Write windows while the input is read, each as it closes; only what the open ones hold stays in "
       "memory. For algorithms that stream, or with --flush-every.",
       "Output",
       kPack,
       {},
       false},
      {"shard-windows",
       0,
       "N",
       "Write the arrays of every N windows into a folder of their own, shard-00000 and on, each whole or "
       "not "
       "there. Default for plan: about 1 GiB of arrays.",
       "Output",
       kPack | kPlan,
       {},
       false},
      {"resume",
       0,
       "",
       "Keep the finished shards of a run of the same command that was interrupted.",
       "Output",
       kPack,
       {},
       false},
      {"against",
       0,
       "INPUT",
       "The input that OUT was made of; repeat it for several files. Without it the files are held against "
       "their checksums alone.",
       "Input",
       kVerify,
       {},
       true},
      {"against",
       0,
       "INPUT",
       "The input that PLAN was made of, where it has moved; repeat it for several files. Default: where "
       "plan "
       "read it.",
       "Input",
       kMaterialize,
       {},
       true},
      {"output", 'o', "CORPUS", "Folder for the documents as arrays.", "Output", kLengths, {}, false},
      {"output", 'o', "PLAN", "Folder for the plan, and later for its shards.", "Output", kPlan, {}, false},
      {"windows",
       0,
       "A:B",
       "Only the shards of windows A to B - 1. Default: all that are missing.",
       "Window",
       kMaterialize,
       {},
       false},
      {"input",
       0,
       std::string(native::kInputKindNames),
       "What the input is, where its name does not tell (.jsonl, .txt, .npy, .hist.tsv, each also .gz or "
       ".zst; .idx with its .bin, .bin alone). Standard input is jsonl.",
       "Input",
       kReading,
       {},
       false},
      {"token-type",
       0,
       std::string(native::kTokenTypeNames),
       "What a raw token file (.bin) holds, little-endian.",
       "Input",
       kReading,
       {},
       false},
      {"end-of-document",
       0,
       "ID",
       "The token that ends each document of a raw token file; it stays its document's last.",
       "Input",
       kReading,
       {},
       false},
      {"offsets",
       0,
       "FILE.npy",
       "Makes .npy files tokens: document d is tokens[offsets[d]:offsets[d + 1]]. One for each input.",
       "Input",
       kReading,
       {},
       true},
      {"tokens-field",
       0,
       "NAME",
       "JSON field with the token ids. Default: input_ids.",
       "Input",
       kReading,
       {},
       false},
      {"text-field",
       0,
       "A[,B]",
       "JSON fields with text, joined and tokenized as one.",
       "Input",
       kReading,
       {},
       true},
      {"text-join",
       0,
       "TEXT",
       "What joins text fields; \\n, \\t and \\\\ are understood. Default: \\n.",
       "Input",
       kReading,
       {},
       false},
      {"tokenizer",
       0,
       "bytes|FILE.model",
       "How text becomes tokens: bytes makes every byte of UTF-8 an id from 0 to 255, FILE.model is a "
       "SentencePiece model. Default: bytes.",
       "Input",
       kReading,
       {},
       false},
      {"prompt-field",
       0,
       "NAME",
       "Text that is no training target; goes with --completion-field.",
       "Input",
       kReading,
       {},
       false},
      {"completion-field",
       0,
       "NAME",
       "Text that follows the prompt; the joiner belongs to the prompt.",
       "Input",
       kReading,
       {},
       false},
      {"loss-mask-field",
       0,
       "NAME",
       "A list of 1 (a target) and 0, one for each token.",
       "Input",
       kReading,
       {},
       false},
      {"prompt-length-field",
       0,
       "NAME",
       "How many first tokens of the document are no targets.",
       "Input",
       kReading,
       {},
       false},
      {"labels-field",
       0,
       "NAME",
       "A list of the tokens themselves, or -100 where one is no target.",
       "Input",
       kReading,
       {},
       false},
      {"source-field",
       0,
       "NAME",
       "The data set a document comes from, for --homogeneity and the ledger.",
       "Input",
       kReading,
       {},
       false},
      {"ignore-field",
       0,
       "NAME",
       "A field that must not travel with the tokens; may be repeated.",
       "Input",
       kReading,
       {},
       true},
      {"limit-documents", 0, "N", "Read the first N documents only.", "Input", kReading, {}, false},
      {"output",
       'o',
       "FILE",
       "Where to: text, or an array of 0 and 1 for .npy, or a picture for .png; - is standard output, the "
       "default.",
       "Output",
       kMask,
       {},
       false},
      {"output", 'o', "FILE.png", "Where to; - is standard output.", "Output", kRender, {}, false},
      {"window", 0, "K", "Which window, from 0. Default: 0.", "Window", kShow | kMask, {}, false},
      {"windows",
       0,
       "A:B",
       "Rows of tiles for windows A to B - 1. Without it a cell for every window, coloured by its padding.",
       "Window",
       kRender,
       {},
       false},
      {"mask",
       0,
       "causal|bidirectional",
       "Whether a query sees later keys too. Default: causal.",
       "Mask",
       kShow | kMask,
       {},
       false},
      {"no-document-mask",
       0,
       "",
       "Let documents see each other, to show what leaks.",
       "Mask",
       kShow | kMask,
       {},
       false},
      {"sliding-window",
       0,
       "N",
       "A query sees itself and the N - 1 tokens before it.",
       "Mask",
       kShow | kMask,
       {},
       false},
      {"prefix-length",
       0,
       "N",
       "The first N tokens of every document see each other both ways (prefix-LM).",
       "Mask",
       kShow | kMask,
       {},
       false},
      {"padding-queries",
       0,
       "self|masked",
       "What a query on padding sees. Default: self.",
       "Mask",
       kShow | kMask,
       {},
       false},
      {"block-size",
       0,
       "N|QxK",
       "Draw blocks of N by N, or Q queries by K keys: full, partial and skipped.",
       "Mask",
       kShow | kMask,
       {},
       false},
      {"theme",
       0,
       "light|dark",
       "Colours for a light or a dark page. Default: light, in the terminal dark.",
       "Picture",
       kPicturing,
       {},
       false},
      {"width", 0, "N", "Width in pixels, or for show in characters.", "Picture", kPicturing, {}, false},
      {"height", 0, "N", "Height in pixels.", "Picture", kMask | kRender, {}, false},
      {"color",
       0,
       "auto|always|never",
       "Colours in the terminal. auto: where it has them and NO_COLOR is not set.",
       "Picture",
       kShow,
       {},
       false},
      {"port",
       0,
       "N",
       "The port of 127.0.0.1 to serve at. Default: any that is free.",
       "Server",
       kView,
       {},
       false},
      {"page",
       0,
       "DIR",
       "The built page, as npm run build:app writes it. Default: beside the program.",
       "Server",
       kView,
       {},
       false},
      {"threads",
       0,
       "N",
       "How many cores to use; the result is the same for any number. Default: 0, all of them.",
       "Report",
       kReading | kMaterialize,
       {},
       false},
      {"max-memory",
       0,
       "SIZE",
       "Memory for the tokens, such as 500M or 16G; those beyond it go to a temporary file beside the "
       "output. Default: half "
       "of the machine's memory.",
       "Report",
       kReading,
       {},
       false},
      {"json", 0, "", "Report as JSON on standard output.", "Report", kEvery, {}, false},
      {"quiet", 'q', "", "No notes, warnings or progress; errors only.", "Report", kEvery, {}, false},
  };
  return flags;
}

std::string dashed(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

Flag option_flag(const OptionInfo& info, Command command) {
  Flag flag{dashed(info.name),
            0,
            info.value == "true|false" ? "" : std::string(info.value),
            std::string(info.help),
            info.plans ? "Planning" : "Arrays",
            0,
            std::string(info.name),
            false};
  flag.commands = kPack | kPlan | kCompare;
  if (info.name == "context_length") flag.short_name = 'L';
  if (info.name == "algorithm") flag.short_name = 'a';
  if (command == kCompare && info.name == "context_length") {
    flag.value = "N[,N]";
    flag.help = "Tokens in a window; several lengths give several tables.";
  }
  if (command == kCompare && info.name == "algorithm") {
    flag.value = "NAME[,NAME]|all";
    flag.help = "The algorithms to compare. Default: all.";
  }
  const std::string default_value = get_option(Options{}, info.name);
  const bool is_list = command == kCompare && info.name == "algorithm";
  // "none" of a number and "default" say nothing that the help does not.
  const bool says_nothing = default_value.empty() || default_value == "default" ||
                            (default_value == "none" && info.value.starts_with('N'));
  if (!says_nothing && !flag.value.empty() && !is_list) {
    flag.help += concat(" Default: ", default_value, ".");
  }
  return flag;
}

// Levenshtein's distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replace, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

Error unknown_flag(const CommandInfo& command, const std::vector<Flag>& flags, std::string_view word) {
  const std::string_view given = word.substr(0, word.find('='));
  std::vector<std::string> names{"--help"};
  for (const Flag& flag : flags) names.push_back("--" + flag.name);
  return bad_usage("packscope ", command.name, " has no flag ", given, did_you_mean(given, names),
                   " See packscope ", command.name, " --help");
}

std::string wrap_text(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (const std::string& word : split_list(text, ' ')) {
    if (column > indent && column + 1 + word.size() > kHelpWidth) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string flag_help(const Flag& flag) {
  std::string left = "  ";
  left += flag.short_name ? concat("-", std::string_view(&flag.short_name, 1), ", ") : "    ";
  left += "--" + flag.name;
  if (!flag.value.empty()) left += " " + flag.value;
  if (left.size() + 2 > kHelpColumn) {
    left += '\n';
    left.append(kHelpColumn, ' ');
  } else {
    left.resize(kHelpColumn, ' ');
  }
  return left + wrap_text(flag.help, kHelpColumn) + "\n";
}

// A flag that takes the next flag for its value would lose both. `--flag=-value` is always meant.
Status check_values(const std::vector<Flag>& flags, std::span<char* const> words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view word = words[i], next = words[i + 1];
    if (word == "--") return {};
    const auto flag = std::find_if(flags.begin(), flags.end(), [&](const Flag& candidate) {
      const bool is_short = word.size() == 2 && word[0] == '-' && word[1] == candidate.short_name;
      return !candidate.value.empty() && (is_short || word == "--" + candidate.name);
    });
    if (flag == flags.end()) continue;
    ++i;
    const bool is_flag = next.size() > 1 && next[0] == '-' && !(next[1] >= '0' && next[1] <= '9');
    if (!is_flag) continue;
    return bad_usage(word, " needs a value, and ", next, " looks like a flag; if it is the value, write --",
                     flag->name, "=", next, ", or ./", next, " for a file");
  }
  return {};
}

}  // namespace

std::span<const CommandInfo> commands() { return kCommands; }

std::vector<Flag> flags_of(Command command) {
  std::vector<Flag> flags;
  for (const Flag& flag : program_flags()) {
    if (flag.commands & command) flags.push_back(flag);
  }
  for (const OptionInfo& info : option_table()) {
    Flag flag = option_flag(info, command);
    if (flag.commands & command) flags.push_back(std::move(flag));
  }
  return flags;
}

std::string Arguments::get(std::string_view flag, std::string_view otherwise) const {
  const auto found = values.find(flag);
  return found == values.end() ? std::string(otherwise) : found->second.back();
}

std::vector<std::string> Arguments::list(std::string_view flag) const {
  std::vector<std::string> all;
  const auto found = values.find(flag);
  if (found == values.end()) return all;
  for (const std::string& value : found->second) {
    for (std::string& part : split_list(value, ',')) all.push_back(std::move(part));
  }
  return all;
}

std::vector<std::string> split_list(std::string_view text, char mark) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(mark);
    if (end != 0 && !text.empty()) parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string> candidates) {
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  return nearest ? ". Did you mean " + *nearest + "?" : ".";
}

Result<std::uint64_t> parse_number(std::string_view flag, std::string_view text, std::uint64_t least,
                                   std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && value >= least && value <= most) return value;
  return bad_usage("--", flag, " '", text, "' must be a whole number from ", least, " to ", most);
}

Result<Arguments> parse_arguments(const CommandInfo& command, std::span<char* const> words) {
  const std::vector<Flag> flags = flags_of(command.command);
  if (Status values = check_values(flags, words); !values) return values.error();
  Arguments arguments;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_flag("-h,--help", arguments.help);
  std::map<std::string, std::vector<std::string>> given;
  for (const Flag& flag : flags) {
    std::string names = flag.short_name ? concat("-", std::string_view(&flag.short_name, 1), ",") : "";
    names += "--" + flag.name;
    if (flag.value.empty()) {
      app.add_flag(names, given[flag.name])->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    } else {
      app.add_option(names, given[flag.name])->allow_extra_args(false);
    }
  }
  // CLI11 takes its words from the back.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view said = error.what();
    return bad_usage(said.substr(0, said.find(':')), " needs a value. See packscope ", command.name,
                     " --help");
  } catch (const CLI::ParseError& error) {
    return bad_usage(error.what(), ". See packscope ", command.name, " --help");
  }
  for (const std::string& extra : app.remaining()) {
    if (extra.size() > 1 && extra.front() == '-') return unknown_flag(command, flags, extra);
    arguments.operands.push_back(extra);
  }
  for (const Flag& flag : flags) {
    std::vector<std::string>& values = given[flag.name];
    if (values.empty()) continue;
    if (values.size() > 1 && !flag.repeats)
      return bad_usage("--", flag.name, " is given ", values.size(), " times; give it once");
    // Those of the core read true and false.
    if (flag.value.empty() && flag.option.empty() && values.front() != "true") {
      return bad_usage("--", flag.name, " takes no value, and has '", values.front(),
                       "'; leave the flag out where it is not meant");
    }
    arguments.values[flag.name] = std::move(values);
  }
  return arguments;
}

std::string general_help() {
  std::string text = concat("packscope ", native::version_text(),
                            ": packs tokenized documents into fixed-length windows for training, every token "
                            "accounted for.\n\nUsage: packscope COMMAND ...\n\n");
  for (const CommandInfo& command : commands()) {
    std::string left = "  " + std::string(command.name);
    left.resize(15, ' ');
    text += left + std::string(command.summary) + "\n";
  }
  text +=
      "\npackscope COMMAND --help explains a command; packscope --version prints the version.\n\nExample:\n "
      " ";
  return text + std::string(kCommands[0].example) + "\n";
}

std::string command_help(const CommandInfo& command) {
  std::string text = concat("Usage: packscope ", command.name, command.operands.empty() ? "" : " ",
                            command.operands, " [FLAGS]\n\n", command.summary, "\n");
  std::string group;
  std::vector<Flag> flags = flags_of(command.command);
  // The two flags of every run come first in their group; the table's order does that already.
  const std::vector<std::string> order{"Planning", "Arrays", "Input",  "Window", "Mask",
                                       "Picture",  "Output", "Server", "Report"};
  for (const std::string& heading : order) {
    bool first = true;
    for (const Flag& flag : flags) {
      if (flag.group != heading) continue;
      if (first) text += "\n" + heading + "\n";
      first = false;
      text += flag_help(flag);
    }
  }
  return text + "\nExample:\n  " + std::string(command.example) + "\n";
}

}  // namespace packscope::cli
