#include "io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "io/fd.hpp"

namespace rigd::io {

namespace {

constexpr std::size_t kLongestProperty = 512;  // a USB string has at most 126 characters

std::unexpected<Error> failure(const std::filesystem::path& path, std::string_view what) {
  return fail(ErrorCode::io_failure, fmt::format("{}: {}", path.string(), what));
}

// Reads until the end of the file or until `into` is full; -1 with errno on failure.
ssize_t read_up_to(int fd, char* into, std::size_t size) {
  std::size_t used = 0;
  while (used < size) {
    const ssize_t count = ::read(fd, into + used, size - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
  }
  return static_cast<ssize_t>(used);
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, std::size_t limit) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts{};
  if (!fd || ::fstat(fd.get(), &facts) != 0) return failure(path, std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) return failure(path, "not a regular file");
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size > limit) return failure(path, fmt::format("{} bytes, at most {} are allowed", size, limit));
  std::vector<std::byte> bytes(size);
  const ssize_t count = read_up_to(fd.get(), reinterpret_cast<char*>(bytes.data()), size);
  if (count < 0) return failure(path, std::strerror(errno));
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

std::optional<std::string> read_property(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return std::nullopt;
  std::array<char, kLongestProperty + 1> buffer;
  const ssize_t count = read_up_to(fd.get(), buffer.data(), buffer.size());
  if (count < 0 || static_cast<std::size_t>(count) > kLongestProperty) return std::nullopt;
  std::string text(buffer.data(), static_cast<std::size_t>(count));
  text.resize(std::min(text.size(), text.find('\n')));
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace rigd::io
