// SPDX-License-Identifier: MIT
// Token ids of four bytes or of one, looked at in every way a view offers.
#include "packscope/token_view.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "packscope/buffer.hpp"

namespace packscope {
namespace {

using Ids = std::vector<std::int32_t>;
using Bytes = std::vector<std::uint8_t>;

Ids one_by_one(TokenView view) {
  Ids ids;
  for (std::size_t i = 0; i < view.size(); ++i) ids.push_back(view[i]);
  return ids;
}

Ids copied(TokenView view) {
  Ids ids(view.size(), -1);
  view.copy_to(ids.data());
  return ids;
}

Ids visited(TokenView view) {
  return view.visit([](auto ids) { return Ids(ids.begin(), ids.end()); });
}

void expect_ids(TokenView view, const Ids& expected) {
  EXPECT_EQ(view.size(), expected.size());
  EXPECT_EQ(view.empty(), expected.empty());
  EXPECT_EQ(one_by_one(view), expected);
  EXPECT_EQ(copied(view), expected);
  EXPECT_EQ(visited(view), expected);
  EXPECT_EQ(view.bytes().size(), expected.size() * view.id_bytes());
}

TEST(TokenView, LooksAtEveryKindOfArray) {
  const Ids ids{0, 255, 256, INT32_MAX, -1};
  expect_ids(ids, ids);
  expect_ids(Buffer<std::int32_t>(ids.begin(), ids.end()), ids);
  expect_ids(std::span(ids), ids);
  const Bytes bytes{0, 127, 128, 255};
  expect_ids(bytes, {0, 127, 128, 255});
  expect_ids(Buffer<std::uint8_t>(bytes.begin(), bytes.end()), {0, 127, 128, 255});
  expect_ids(std::span(bytes), {0, 127, 128, 255});
}

TEST(TokenView, TellsTheWidth) {
  EXPECT_TRUE(TokenView(Ids{1}).is_wide());
  EXPECT_EQ(TokenView(Ids{1}).id_bytes(), 4u);
  EXPECT_FALSE(TokenView(Bytes{1}).is_wide());
  EXPECT_EQ(TokenView(Bytes{1}).id_bytes(), 1u);
}

TEST(TokenView, HoldsNothing) {
  expect_ids({}, {});
  expect_ids(Ids{}, {});
  expect_ids(Bytes{}, {});
  expect_ids(TokenView(Bytes{1, 2}).subspan(2, 0), {});
}

// Every part of every length around those that loops are unrolled for.
TEST(TokenView, GivesParts) {
  Ids ids(70);
  std::iota(ids.begin(), ids.end(), 150);
  const Bytes bytes(ids.begin(), ids.end());
  for (std::size_t first = 0; first <= ids.size(); ++first) {
    for (std::size_t count = 0; first + count <= ids.size(); ++count) {
      const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(first);
      const Ids expected(begin, begin + static_cast<std::ptrdiff_t>(count));
      ASSERT_EQ(copied(TokenView(ids).subspan(first, count)), expected);
      ASSERT_EQ(copied(TokenView(bytes).subspan(first, count)), expected);
    }
  }
}

}  // namespace
}  // namespace packscope
