// SPDX-License-Identifier: MIT
#include "files/durable.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "message.hpp"

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

Status sync_one(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return system_error("cannot open", path.string());
  // Some file systems have nothing to wait for and say so.
  const bool synced = fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
  const Status status = synced ? Status() : Status(system_error("cannot write", path.string()));
  close(file);
  return status;
}

}  // namespace

Status make_durable(const fs::path& path) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(path, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (Status synced = sync_one(entry->path()); !synced) return synced;
  }
  return sync_one(path);
}

Status make_durable_name(const fs::path& path) { return sync_one(path.parent_path()); }

Status move_durably(const fs::path& from, const fs::path& to) {
  if (Status synced = make_durable(from); !synced) return synced;
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return Error{ErrorCode::io_error, concat("cannot write ", to.string(), ": ", error.message())};
  return make_durable_name(to);
}

}  // namespace packscope::native
