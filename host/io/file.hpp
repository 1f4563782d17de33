// Reading whole files of bounded size.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace rigd::io {

// Error: io_failure naming the path (cannot be read, is no regular file, or holds more than `limit` bytes).
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, std::size_t limit);

// The first line of a small text file, as in sysfs: without its newline and spaces at the end. Nothing when
// the file is not there, cannot be read or is longer than any such property.
std::optional<std::string> read_property(const std::filesystem::path& path);

}  // namespace rigd::io
