// SPDX-License-Identifier: MIT
// The spool's file never has a name, so that a program which is killed leaves none behind.
#include "files/spool.hpp"

#include <gtest/gtest.h>

#ifdef __linux__
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

namespace packscope::native {
namespace {

bool makes_files_without_name(const std::string& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  return file >= 0 && close(file) == 0;
}

TEST(Spool, HasNoNameAtAnyTime) {
  const std::string folder = testing::TempDir() + "spool-" + std::to_string(getpid());
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  if (!makes_files_without_name(folder)) {
    rmdir(folder.c_str());
    GTEST_SKIP() << "no files without a name in " << folder;
  }
  const int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(events, folder.c_str(), IN_CREATE), 0);
  std::array<char, 4096> event{};
  {
    Result<Spool> spool = Spool::create(folder);
    ASSERT_TRUE(spool);
    EXPECT_TRUE(spool->append(std::as_bytes(std::span("tokens"))));
  }
  EXPECT_LT(read(events, event.data(), event.size()), 0) << "a name stood in the folder";
  close(events);
  EXPECT_EQ(rmdir(folder.c_str()), 0) << "something is left";
}

}  // namespace
}  // namespace packscope::native
#endif
