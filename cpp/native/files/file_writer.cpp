// SPDX-License-Identifier: MIT
#include "files/file_writer.hpp"

#include <cerrno>

#include "message.hpp"

namespace packscope::native {
namespace {

constexpr std::string_view kBrokenPipe = "the reader of standard output has gone";
constexpr std::string_view kStandardOutput = "<stdout>";

}  // namespace

Result<FileWriter> FileWriter::create(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return system_error("cannot write", path);
  return FileWriter(file, path);
}

FileWriter FileWriter::standard_output() { return {stdout, std::string(kStandardOutput)}; }

Error FileWriter::refusal() const {
  if (errno == EPIPE) return {ErrorCode::io_error, std::string(kBrokenPipe)};
  return system_error("cannot write", name_);
}

Status FileWriter::write(std::string_view bytes) {
  if (bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
  return refusal();
}

Status FileWriter::write_at(std::uint64_t offset, std::string_view bytes) {
  if (fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0) return refusal();
  return write(bytes);
}

Status FileWriter::close() {
  if (std::fflush(file_.get()) != 0) return refusal();
  std::FILE* file = file_.release();
  if (file == stdout || std::fclose(file) == 0) return {};
  return refusal();
}

Status write_text_file(const std::string& path, std::string_view text) {
  Result<FileWriter> file = FileWriter::create(path);
  if (!file) return file.error();
  if (Status written = file->write(text); !written) return written;
  return file->close();
}

bool is_broken_pipe(const Error& error) {
  return error.code == ErrorCode::io_error && error.message == kBrokenPipe;
}

}  // namespace packscope::native
