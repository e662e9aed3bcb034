// SPDX-License-Identifier: MIT
// Replacing an output folder: in one step, and what a run that was killed left is put right by the next.
#include "output/pending_output.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

class PendingOutputTest : public ::testing::Test {
 protected:
  PendingOutputTest() {
    std::string name = ::testing::TempDir() + "packscope-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~PendingOutputTest() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path place(const std::string& name) const { return folder_ / name; }

  void make_folder(const std::string& name, const std::string& file) const {
    fs::create_directory(place(name));
    std::ofstream(place(name) / file) << file;
  }

  [[nodiscard]] Result<PendingOutput> create() const {
    return PendingOutput::create(place("out").string(), PendingOutput::Kind::folder, {},
                                 Replace::our_folders);
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_))
      found.push_back(entry.path().filename().string());
    return found;
  }

  fs::path folder_;
};

// The number of a process that has ended.
std::string ended_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return std::to_string(child);
}

TEST_F(PendingOutputTest, ReplacesAFolderAndLeavesNothingBeside) {
  fs::create_directory(place("out"));
  Result<PendingOutput> pending = create();
  ASSERT_TRUE(pending) << pending.error().message;
  std::ofstream(pending->path() / "new.npy") << "new";
  const Status committed = pending->commit();
  ASSERT_TRUE(committed) << committed.error().message;
  EXPECT_TRUE(fs::exists(place("out") / "new.npy"));
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(PendingOutputTest, BringsBackTheOldOutputOfARunKilledBetweenTwoRenames) {
  make_folder(".out.packscope-" + ended_process() + "-old", "kept.npy");
  // What came back is no folder that packscope wrote here, so that nothing replaces it.
  EXPECT_FALSE(create());
  EXPECT_TRUE(fs::exists(place("out") / "kept.npy"));
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(PendingOutputTest, RemovesTheOldOutputWhereTheNewOneStands) {
  fs::create_directory(place("out"));
  make_folder(".out.packscope-" + ended_process() + "-old", "old.npy");
  make_folder(".out.packscope-" + ended_process(), "half.npy");
  { ASSERT_TRUE(create()); }
  EXPECT_TRUE(fs::is_empty(place("out")));
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(PendingOutputTest, LeavesWhatALivingRunIsWriting) {
  const std::string living = ".out.packscope-" + std::to_string(getppid());
  make_folder(living, "half.npy");
  { ASSERT_TRUE(create()); }
  EXPECT_TRUE(fs::exists(place(living) / "half.npy"));
}

}  // namespace
}  // namespace packscope::native
