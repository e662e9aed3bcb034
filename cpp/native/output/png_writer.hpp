// SPDX-License-Identifier: MIT
// Pictures as PNG files.
#pragma once

#include <string>

#include "packscope/render.hpp"

namespace packscope::native {

// The bytes of a PNG file.
Result<std::string> png_bytes(const Picture& picture);

}  // namespace packscope::native
