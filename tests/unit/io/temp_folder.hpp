// A folder of a test, short enough in name for sockets, gone with its owner.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>

namespace rigd::test {

class TempFolder {
 public:
  TempFolder() {
    char pattern[] = "/tmp/rigd-test-XXXXXX";
    if (::mkdtemp(pattern) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rigd::test
