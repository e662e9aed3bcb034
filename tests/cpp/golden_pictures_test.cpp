// SPDX-License-Identifier: MIT
// The pixels of tests/golden by their hash, so that builds without PNG (WebAssembly, without SIMD) are held
// to them too. PACKSCOPE_UPDATE_GOLDEN=1 rewrites tests/golden/hashes.txt.
#include "golden_pictures.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "packscope/plan.hpp"

namespace packscope_tests {
namespace {

const std::string kHashes = std::string(PACKSCOPE_TESTS_DIR) + "/golden/hashes.txt";

// FNV-1a over red, green, blue and alpha.
std::string hash(const packscope::Picture& picture) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const packscope::Pixel& pixel : picture.pixels) {
    for (const std::uint8_t byte : {pixel.red, pixel.green, pixel.blue, pixel.alpha}) {
      value = (value ^ byte) * 0x100000001b3;
    }
  }
  return packscope::fingerprint_text(value);
}

TEST(GoldenPictures, HaveTheSamePixelsInEveryBuild) {
  std::map<std::string, std::string> made;
  for (const GoldenPicture& golden : GoldenPictures::make()) made[golden.name] = hash(golden.picture);
  if (std::getenv("PACKSCOPE_UPDATE_GOLDEN")) {
    std::ofstream file(kHashes);
    for (const auto& [name, value] : made) file << name << ' ' << value << '\n';
    GTEST_SKIP() << "wrote " << kHashes;
  }
  std::ifstream file(kHashes);
  std::map<std::string, std::string> expected;
  for (std::string name, value; file >> name >> value;) expected[name] = value;
  EXPECT_EQ(made, expected);
}

}  // namespace
}  // namespace packscope_tests
