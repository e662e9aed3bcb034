// SPDX-License-Identifier: MIT
#include "files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.hpp"

namespace packscope::native {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  if (path == "-") {
    return bad_usage("this input is read out of order, which standard input cannot be; save it as a file");
  }
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return system_error("cannot read", path);
  return of_descriptor(file.number(), path);
}

Result<MappedFile> MappedFile::of_descriptor(int file, const std::string& path) {
  struct stat info {};
  if (fstat(file, &info) != 0) return system_error("cannot read", path);
  if (!S_ISREG(info.st_mode)) {
    return bad_data(path, ": is no regular file, and this format is read out of order; save it as a file");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return MappedFile({});  // nothing can be mapped
  void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED) return system_error("cannot map", path);
  return MappedFile({static_cast<const std::byte*>(at), size});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace packscope::native
