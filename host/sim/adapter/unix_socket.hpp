// Blocking Unix sockets with deadlines, for a program that serves one client at a time.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace rigd::sim::adapter {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { reset(); }

  void reset();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

enum class SocketKind { stream, packets };

// A socket file that is already there is replaced: it is the remains of a killed program.
Result<FileDescriptor> listen_unix(const std::filesystem::path& path, SocketKind kind);
// Tries again until the deadline while nobody listens yet.
Result<FileDescriptor> connect_unix(const std::filesystem::path& path, Deadline deadline);
// An invalid descriptor when nobody is waiting.
FileDescriptor accept_unix(const FileDescriptor& listener);

// True when `fd` can be read (or has ended) before the deadline.
bool wait_readable(int fd, Deadline deadline);
bool send_all(int fd, std::string_view data, Deadline deadline);
// Appends what has arrived, at least one byte unless the deadline passes or the peer is gone (false).
bool receive_some(int fd, std::string& buffer, Deadline deadline);

}  // namespace rigd::sim::adapter
