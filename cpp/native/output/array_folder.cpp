// SPDX-License-Identifier: MIT
#include "output/array_folder.hpp"

#include "files/npy.hpp"
#include "message.hpp"
#include "output/megatron_index.hpp"

namespace packscope::native {

Status ArrayFolder::add_member(const ArrayView& array) {
  const bool is_npy = !megatron_ids_ || array.name != kMegatronArray;
  Result<FileWriter> file =
      FileWriter::create(concat(folder_, "/", array.name, is_npy ? ".npy" : kTokenFileEnding));
  if (!file) return file.error();
  members_.push_back({ArrayTally(array), std::move(*file), is_npy});
  if (!is_npy) return {};
  return members_.back().file.write(std::string(kNpyHeaderBytes, ' '));  // its shape is known at the end
}

Status ArrayFolder::append(const std::vector<ArrayView>& arrays) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (i == members_.size()) {
      if (Status added = add_member(arrays[i]); !added) return added;
    }
    members_[i].tally.add(arrays[i].values);
    if (Status written = members_[i].file.write(as_text(arrays[i].values)); !written) return written;
  }
  return {};
}

Status ArrayFolder::finish(std::vector<ArrayEntry>& entries) {
  for (Member& member : members_) {
    ArrayEntry entry = member.tally.entry();
    if (member.is_npy) {
      Status header = member.file.write_at(0, npy_header({entry.descr, false, entry.shape}));
      if (!header) return header;
    } else {
      entry.file = concat(entry.name, kTokenFileEnding);
      if (Status indexed = write_megatron_index(folder_, entry); !indexed) return indexed;
    }
    if (Status closed = member.file.close(); !closed) return closed;
    entries.push_back(std::move(entry));
  }
  return {};
}

}  // namespace packscope::native
