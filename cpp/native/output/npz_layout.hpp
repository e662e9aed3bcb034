// SPDX-License-Identifier: MIT
// The layout of an .npz file: a ZIP archive (PKWARE's APPNOTE 6.3) of .npy members, stored without
// compression.
#pragma once

#include "output/array_archive.hpp"

namespace packscope::native {

const ArchiveLayout& npz_layout();

}  // namespace packscope::native
