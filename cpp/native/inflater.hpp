// SPDX-License-Identifier: MIT
// Decompresses a gzip stream of any number of members from chunks of compressed bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "packscope/result.hpp"

namespace packscope::native {

class Inflater {
 public:
  explicit Inflater(std::string name);  // the file's name, for errors
  ~Inflater();

  // Whether all given input is used up, so that the next call of inflate needs give().
  [[nodiscard]] bool hungry() const;

  // The next compressed bytes, which must stay alive until hungry().
  void give(std::span<const char> compressed);

  // Decompresses into `out` and returns how many bytes were written, possibly 0.
  Result<std::size_t> inflate(std::span<char> out);

  // Checks that the stream may end here: at the end of a member.
  Status finish() const;

  // Where the owner keeps what it gives.
  std::vector<char> buffer;

 private:
  struct Stream;
  enum class At : std::uint8_t { member, between, zero_padding };

  Status begin_member();

  std::unique_ptr<Stream> stream_;
  std::string name_;
  At at_ = At::between;
  std::uint64_t members_ = 0;
  std::uint64_t bytes_given_ = 0;
};

}  // namespace packscope::native
