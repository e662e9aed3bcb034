// SPDX-License-Identifier: MIT
// Pictures against the PNG files of tests/golden, which are there to be looked at. PACKSCOPE_UPDATE_GOLDEN=1
// rewrites them; review the pictures.
#include "golden_pictures.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <cstdlib>

#include "files/whole_file.hpp"
#include "output/png_writer.hpp"
#include "packscope/concat.hpp"

namespace packscope_tests {
namespace {

std::string golden_path(const std::string& name) {
  return packscope::concat(PACKSCOPE_TESTS_DIR, "/golden/", name, ".png");
}

packscope::Picture read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str())) return {};
  image.format = PNG_FORMAT_RGBA;
  packscope::Picture picture = packscope::make_picture(image.width, image.height).value();
  if (!png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr)) return {};
  return picture;
}

TEST(GoldenPictures, HaveThePixelsOfTheirFiles) {
  for (const GoldenPicture& golden : GoldenPictures::make()) {
    const std::string path = golden_path(golden.name);
    if (std::getenv("PACKSCOPE_UPDATE_GOLDEN")) {
      ASSERT_TRUE(packscope::native::write_whole_file(path, *packscope::native::png_bytes(golden.picture)));
      continue;
    }
    const packscope::Picture expected = read_png(path);
    ASSERT_EQ(expected.width, golden.picture.width) << path;
    ASSERT_EQ(expected.height, golden.picture.height) << path;
    EXPECT_TRUE(expected.pixels == golden.picture.pixels) << path;
  }
}

}  // namespace
}  // namespace packscope_tests
