// SPDX-License-Identifier: MIT
// Arrays in a file each: .npy, or for input_ids Megatron's .bin with its .idx.
#pragma once

#include <string>
#include <vector>

#include "files/file_writer.hpp"
#include "output/array_store.hpp"
#include "output/array_tally.hpp"

namespace packscope::native {

class ArrayFolder : public ArrayStore {
 public:
  explicit ArrayFolder(std::string folder, bool megatron_ids = false)
      : folder_(std::move(folder)), megatron_ids_(megatron_ids) {}

  Status append(const std::vector<ArrayView>& arrays) override;
  Status finish(std::vector<ArrayEntry>& entries) override;

 private:
  struct Member {
    ArrayTally tally;
    FileWriter file;
    bool is_npy;
  };
  Status add_member(const ArrayView& array);

  std::string folder_;
  bool megatron_ids_;
  std::vector<Member> members_;
};

}  // namespace packscope::native
