// SPDX-License-Identifier: MIT
#include "serve/page_folder.hpp"

#include <filesystem>
#include <system_error>

#include "message.hpp"

namespace packscope::native {
namespace {

namespace fs = std::filesystem;

bool holds_page(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "index.html", ignored);
}

}  // namespace

Result<std::string> page_folder(const std::string& named) {
  if (!named.empty()) {
    if (holds_page(named)) return named;
    return bad_usage("--page ", named, ": holds no index.html; name the folder that npm run build:app wrote");
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  // A build's programs lie in build/NAME, its page in build/app.
  const fs::path built = (program / ".." / "app").lexically_normal();
  const fs::path installed = (program / ".." / "share" / "packscope" / "app").lexically_normal();
  for (const fs::path& folder : {built, installed}) {
    if (holds_page(folder)) return folder.string();
  }
  return bad_usage("there is no page in ", built.string(), " or ", installed.string(),
                   "; build it with npm run build:app, or name its folder with --page DIR");
}

}  // namespace packscope::native
