// SPDX-License-Identifier: MIT
#include "flag_table.hpp"

#include "input/read_options.hpp"

namespace packscope::cli {
namespace {

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

constexpr FlagRow kFlags[] = {
    {kPack, "output", 'o', "OUT", "Output",
     "Folder for the arrays, or file for --format jsonl and sequences; - writes windows to standard "
     "output. Without it only the report is made."},
    {kPack | kPlan, "format", 0, "FORMAT", "Output",
     "A folder with manifest.json whose arrays of windows are npy: a file each, npz: all in windows.npz, "
     "safetensors: all in windows.safetensors, megatron: input_ids as .bin and .idx, the rest as .npy. "
     "Or jsonl: one object a window. sequences: the original records of each window. Default: npy, or "
     "jsonl for - and names in .jsonl."},
    {kPack | kPlan, "input-ids-dtype", 0, "int32|uint16|auto", "Output",
     "Width of input_ids in a folder. auto: uint16 where every id fits. Default: int32."},
    {kPack, "force", 0, "", "Output",
     "Replace a file that stands where the output goes. Output folders of packscope are replaced without "
     "it."},
    {kPack | kPlan, "ledger-ids", 0, "", "Output",
     "Also write ledger.jsonl: every document that was not packed whole, and why."},
    {kPack, "plan-only", 0, "", "Output",
     "Write which piece of which document stands where, without any tokens."},
    {kPack, "stream", 0, "", "Output",
     "Write windows while the input is read, each as it closes; only what the open ones hold stays in "
     "memory. For algorithms that stream, or with --flush-every."},
    {kPack | kPlan, "shard-windows", 0, "N", "Output",
     "Write the arrays of every N windows into a folder of their own, shard-00000 and on, each whole or "
     "not there. Default for plan: about 1 GiB of arrays."},
    {kPack, "resume", 0, "", "Output",
     "Keep the finished shards of a run of the same command that was interrupted."},
    {kVerify, "against", 0, "INPUT", "Input",
     "The input that OUT was made of; repeat it for several files. Without it the files are held against "
     "their checksums alone.",
     true},
    {kMaterialize, "against", 0, "INPUT", "Input",
     "The input that PLAN was made of, where it has moved; repeat it for several files. Default: where "
     "plan read it.",
     true},
    {kLengths, "output", 'o', "CORPUS", "Output", "Folder for the documents as arrays."},
    {kPlan, "output", 'o', "PLAN", "Output", "Folder for the plan, and later for its shards."},
    {kMaterialize, "windows", 0, "A:B", "Window",
     "Only the shards of windows A to B - 1. Default: all that are missing."},
    {kReading, "input", 0, native::kInputKindNames, "Input",
     "What the input is, where its name does not tell (.jsonl, .txt, .npy, .hist.tsv, each also .gz or "
     ".zst; .idx with its .bin, .bin alone). Standard input is jsonl."},
    {kReading, "token-type", 0, native::kTokenTypeNames, "Input",
     "What a raw token file (.bin) holds, little-endian."},
    {kReading, "end-of-document", 0, "ID", "Input",
     "The token that ends each document of a raw token file; it stays its document's last."},
    {kReading, "offsets", 0, "FILE.npy", "Input",
     "Makes .npy files tokens: document d is tokens[offsets[d]:offsets[d + 1]]. One for each input.", true},
    {kReading, "tokens-field", 0, "NAME", "Input", "JSON field with the token ids. Default: input_ids."},
    {kReading, "text-field", 0, "A[,B]", "Input", "JSON fields with text, joined and tokenized as one.",
     true},
    {kReading, "text-join", 0, "TEXT", "Input",
     "What joins text fields; \\n, \\t and \\\\ are understood. Default: \\n."},
    {kReading, "tokenizer", 0, "bytes|FILE.model", "Input",
     "How text becomes tokens: bytes makes every byte of UTF-8 an id from 0 to 255, FILE.model is a "
     "SentencePiece model. Default: bytes."},
    {kReading, "prompt-field", 0, "NAME", "Input",
     "Text that is no training target; goes with --completion-field."},
    {kReading, "completion-field", 0, "NAME", "Input",
     "Text that follows the prompt; the joiner belongs to the prompt."},
    {kReading, "loss-mask-field", 0, "NAME", "Input", "A list of 1 (a target) and 0, one for each token."},
    {kReading, "prompt-length-field", 0, "NAME", "Input",
     "How many first tokens of the document are no targets."},
    {kReading, "labels-field", 0, "NAME", "Input",
     "A list of the tokens themselves, or -100 where one is no target."},
    {kReading, "source-field", 0, "NAME", "Input",
     "The data set a document comes from, for --homogeneity and the ledger."},
    {kReading, "ignore-field", 0, "NAME", "Input",
     "A field that must not travel with the tokens; may be repeated.", true},
    {kReading, "limit-documents", 0, "N", "Input", "Read the first N documents only."},
    {kMask, "output", 'o', "FILE", "Output",
     "Where to: text, or an array of 0 and 1 for .npy, or a picture for .png; - is standard output, the "
     "default."},
    {kRender, "output", 'o', "FILE.png", "Output", "Where to; - is standard output."},
    {kShow | kMask, "window", 0, "K", "Window", "Which window, from 0. Default: 0."},
    {kRender, "windows", 0, "A:B", "Window",
     "Rows of tiles for windows A to B - 1. Without it a cell for every window, coloured by its padding."},
    {kShow | kMask, "mask", 0, "causal|bidirectional", "Mask",
     "Whether a query sees later keys too. Default: causal."},
    {kShow | kMask, "no-document-mask", 0, "", "Mask", "Let documents see each other, to show what leaks."},
    {kShow | kMask, "sliding-window", 0, "N", "Mask", "A query sees itself and the N - 1 tokens before it."},
    {kShow | kMask, "prefix-length", 0, "N", "Mask",
     "The first N tokens of every document see each other both ways (prefix-LM)."},
    {kShow | kMask, "padding-queries", 0, "self|masked", "Mask",
     "What a query on padding sees. Default: self."},
    {kShow | kMask, "block-size", 0, "N|QxK", "Mask",
     "Draw blocks of N by N, or Q queries by K keys: full, partial and skipped."},
    {kPicturing, "theme", 0, "light|dark", "Picture",
     "Colours for a light or a dark page. Default: light, in the terminal dark."},
    {kPicturing, "width", 0, "N", "Picture", "Width in pixels, or for show in characters."},
    {kMask | kRender, "height", 0, "N", "Picture", "Height in pixels."},
    {kShow, "color", 0, "auto|always|never", "Picture",
     "Colours in the terminal. auto: where it has them and NO_COLOR is not set."},
    {kView, "port", 0, "N", "Server", "The port of 127.0.0.1 to serve at. Default: any that is free."},
    {kView, "page", 0, "DIR", "Server",
     "The built page, as npm run build:app writes it. Default: beside the program."},
    {kReading | kMaterialize, "threads", 0, "N", "Report",
     "How many cores to use; the result is the same for any number. Default: 0, all of them."},
    {kReading, "max-memory", 0, "SIZE", "Report",
     "Memory for the tokens, such as 500M or 16G; those beyond it go to a temporary file beside the "
     "output. Default: half of the machine's memory."},
    {kEvery, "json", 0, "", "Report", "Report as JSON on standard output."},
    {kEvery, "quiet", 'q', "", "Report", "No notes, warnings or progress; errors only."},
};

}  // namespace

std::span<const CommandInfo> commands() { return kCommands; }

std::span<const FlagRow> flag_rows() { return kFlags; }

}  // namespace packscope::cli
