// SPDX-License-Identifier: MIT
// Packing: all documents at once with pack(), or as they come with a Packer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "packscope/corpus.hpp"
#include "packscope/executor.hpp"
#include "packscope/options.hpp"
#include "packscope/plan.hpp"

namespace packscope {

// Plans all documents. The result depends on the documents and the options alone; an executor's threads are
// used by the decreasing algorithms, from some ten thousand documents on. Default: the caller's thread.
Result<Plan> pack(const Documents& documents, const Options& options, Executor* executor = nullptr);

// Memory that a plan needs only while it is made. Whoever plans again and again keeps one, so that the
// operating system hands out its pages once.
struct PackScratch {
  Buffer<std::uint32_t> ids;  // documents by length
};

// The same into `plan`, whose memory is reused. After an error its content is unspecified.
Status pack_into(Plan& plan, const Documents& documents, const Options& options, PackScratch& scratch,
                 Executor* executor = nullptr);

// Plans documents as they arrive. Closed windows can be taken at any time; a streaming algorithm holds
// only its open ones, an offline one holds lengths until finish() or a flush_every boundary.
// Documents number themselves 0, 1, ... in the order of push. After an error the packer is spent.
class Packer {
 public:
  // Refuses shuffle_documents and shuffle_windows, which need every document first: use pack().
  static Result<Packer> create(const Options& options, std::span<const std::string> source_names = {});

  Packer(Packer&&) noexcept;
  Packer& operator=(Packer&&) noexcept;
  ~Packer();

  // One more source, for documents that are still to come. Error: it is in no group.
  Status add_source(const std::string& name);

  // Which group a source is in: windows hold documents of one group. 0 where all may share windows.
  [[nodiscard]] std::uint32_t group_of(std::uint32_t source) const;

  // `sources` and `duplicates` are empty or of the size of `lengths`, as in Documents.
  Status push(std::span<const std::uint32_t> lengths, std::span<const std::uint32_t> sources = {},
              std::span<const std::uint8_t> duplicates = {});

  // Empties every open window, then adds filler windows for window_multiple. Call once, last.
  void finish();

  // Moves out the windows closed since the last call.
  WindowList take_closed();

  // Everything not yet taken, with the ledger. Call after finish().
  Plan take_plan();

 private:
  struct Session;
  explicit Packer(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session_;
};

// Where a document of `length` tokens ends in its windows: one past the offset of its last planned token, as
// Segment counts offsets, and 0 for one that is not planned. Who holds the tokens of a stream can let them go
// after all segments up to there, which first_fit_shuffle gives in any order.
std::uint32_t planned_end(const Options& options, std::uint32_t length);

}  // namespace packscope
