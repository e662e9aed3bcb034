// SPDX-License-Identifier: MIT
#include "output/png_writer.hpp"

#include <png.h>

#include "message.hpp"

namespace packscope::native {

Result<std::string> png_bytes(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGBA;
  // As much as the picture could take: encoding once and cutting is faster than asking for the size.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr)) {
    return Error{ErrorCode::internal, concat("cannot write a PNG of ", picture.width, " x ", picture.height,
                                             " pixels: ", image.message)};
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace packscope::native
