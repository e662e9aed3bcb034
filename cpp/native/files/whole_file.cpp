// SPDX-License-Identifier: MIT
#include "files/whole_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "files/file_writer.hpp"
#include "message.hpp"

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

Status write_all(FileWriter file, std::string_view bytes) {
  if (Status written = file.write(bytes); !written) return written;
  return file.close();
}

Status move_into_place(const fs::path& pending, const fs::path& target) {
  std::error_code error;
  fs::rename(pending, target, error);
  if (!error) return {};
  return Error{ErrorCode::io_error, concat("cannot write ", target.string(), ": ", error.message())};
}

}  // namespace

Status write_whole_file(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    if (isatty(STDOUT_FILENO)) return bad_usage("-o - would fill the terminal with bytes; write to a file");
    return write_all(FileWriter::standard_output(), bytes);
  }
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  if (error || !target.has_filename()) return bad_usage("cannot write ", path, ": it names no file");
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
    return bad_usage("cannot write ", path, ": it exists and is no file");
  }
  if (!fs::is_directory(target.parent_path(), error)) {
    return bad_usage("cannot write ", path, ": there is no folder ", target.parent_path().string());
  }
  const fs::path pending =
      target.parent_path() / concat(".", target.filename().string(), ".packscope-", getpid());
  Result<FileWriter> file = FileWriter::create(pending.string());
  if (!file) return file.error();
  Status written = write_all(*std::move(file), bytes);
  if (written) written = move_into_place(pending, target);
  if (!written) fs::remove(pending, error);
  return written;
}

}  // namespace packscope::native
