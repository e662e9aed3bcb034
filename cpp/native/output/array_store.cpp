// SPDX-License-Identifier: MIT
#include "output/array_store.hpp"

#include "output/array_archive.hpp"
#include "output/array_folder.hpp"

namespace packscope::native {

std::unique_ptr<ArrayStore> make_array_store(const std::string& folder, Container container,
                                             std::uint64_t rows) {
  if (const ArchiveLayout* layout = archive_layout(container); layout != nullptr)
    return std::make_unique<ArrayArchive>(folder, *layout, rows);
  return std::make_unique<ArrayFolder>(folder, container == Container::megatron);
}

}  // namespace packscope::native
