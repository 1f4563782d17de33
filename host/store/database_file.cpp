#include "store/database_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace rigd::store {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kUserVersionOffset = 60;
constexpr std::size_t kApplicationIdOffset = 68;
constexpr std::size_t kHeaderBytes = 100;

std::unexpected<Error> bad(const fs::path& file, std::string_view why) {
  return fail(ErrorCode::bad_database, fmt::format("{}: {}", file.string(), why));
}

std::uint32_t big_endian(std::span<const char> bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.first(4))
    value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

Result<FileFacts> inspect_header(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return bad(file, std::strerror(errno));
  std::array<char, kHeaderBytes> header{};
  in.read(header.data(), header.size());
  const auto size = static_cast<std::size_t>(in.gcount());
  if (size == 0) return FileFacts{.exists = true};
  if (size < kHeaderBytes || std::string_view(header.data(), kMagic.size()) != kMagic)
    return bad(file, "not a database");
  const std::uint32_t owner = big_endian(std::span(header).subspan(kApplicationIdOffset));
  if (owner != kApplicationId)
    return bad(file, fmt::format("a database of another program (application id {:#x})", owner));
  return FileFacts{.exists = true,
                   .schema_version = big_endian(std::span(header).subspan(kUserVersionOffset))};
}

// Whether the open file still is the one of that name: its last holder may have removed it meanwhile.
bool still_named(int descriptor, const fs::path& name) {
  struct stat opened{};
  struct stat named{};
  return fstat(descriptor, &opened) == 0 && stat(name.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

std::string holder(int descriptor) {
  std::array<char, 24> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size() - 1, 0);
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "?";
}

void sign(int descriptor) {
  // For people only: a lock without its pid is still a lock.
  const std::string pid = std::to_string(getpid());
  if (ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(descriptor, pid.data(), pid.size(), 0);
}

}  // namespace

Result<FileFacts> inspect(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error)) return bad(file, "its folder does not exist");
    return FileFacts{};
  }
  if (error) return bad(file, error.message());
  if (status.type() != fs::file_type::regular) return bad(file, "not a file");
  return inspect_header(file);
}

Result<WriterLock> WriterLock::take(const fs::path& file) {
  const fs::path name = file.string() + "-lock";
  for (;;) {
    const int descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor < 0) {
      const auto code = errno == ENOSPC ? ErrorCode::disk_full : ErrorCode::bad_database;
      return fail(code, fmt::format("{}: cannot be written here: {}", file.string(), std::strerror(errno)));
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      auto failure = fail(ErrorCode::busy, fmt::format("{}: in use by another rigd (pid {})", file.string(),
                                                       holder(descriptor)));
      close(descriptor);
      return failure;
    }
    if (still_named(descriptor, name)) {
      sign(descriptor);
      return WriterLock(name, descriptor);
    }
    close(descriptor);
  }
}

WriterLock::WriterLock(fs::path name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

WriterLock::~WriterLock() {
  if (descriptor_ < 0) return;
  unlink(name_.c_str());  // while still held; see still_named()
  close(descriptor_);
}

}  // namespace rigd::store
