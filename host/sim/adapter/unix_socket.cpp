#include "sim/adapter/unix_socket.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace rigd::sim::adapter {
namespace {

Result<sockaddr_un> address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& name = path.native();
  if (name.size() >= sizeof address.sun_path) {
    return fail(ErrorCode::bad_argument, fmt::format("{}: longer than a socket path may be", name));
  }
  std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
  return address;
}

std::unexpected<Error> system_failure(const std::filesystem::path& path, std::string_view what) {
  return fail(ErrorCode::io_failure,
              fmt::format("{}: cannot {}: {}", path.native(), what, std::strerror(errno)));
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

int milliseconds(Deadline deadline) {
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(deadline.left()).count());
}

bool wait_for(int fd, short events, Deadline deadline) {
  for (;;) {
    pollfd wait{.fd = fd, .events = events, .revents = 0};
    const int ready = ::poll(&wait, 1, milliseconds(deadline));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

}  // namespace

void FileDescriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Result<FileDescriptor> listen_unix(const std::filesystem::path& path, SocketKind kind) {
  RIGD_TRY(const sockaddr_un address, address_of(path));
  const int type = kind == SocketKind::packets ? SOCK_SEQPACKET : SOCK_STREAM;
  FileDescriptor fd(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return system_failure(path, "make a socket");
  ::unlink(path.c_str());
  if (::bind(fd.get(), generic(address), sizeof address) != 0) return system_failure(path, "bind");
  if (::listen(fd.get(), 8) != 0) return system_failure(path, "listen");
  return fd;
}

Result<FileDescriptor> connect_unix(const std::filesystem::path& path, Deadline deadline) {
  RIGD_TRY(const sockaddr_un address, address_of(path));
  for (;;) {
    FileDescriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd) return system_failure(path, "make a socket");
    if (::connect(fd.get(), generic(address), sizeof address) == 0) return fd;
    if (deadline.passed()) return system_failure(path, "connect");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

FileDescriptor accept_unix(const FileDescriptor& listener) {
  return FileDescriptor(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
}

bool wait_readable(int fd, Deadline deadline) {
  return wait_for(fd, POLLIN, deadline);
}

bool send_all(int fd, std::string_view data, Deadline deadline) {
  while (!data.empty()) {
    const ssize_t sent = ::send(fd, data.data(), data.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      data.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EINTR) {
      if (!wait_for(fd, POLLOUT, deadline)) return false;
    } else {
      return false;
    }
  }
  return true;
}

bool receive_some(int fd, std::string& buffer, Deadline deadline) {
  if (!wait_readable(fd, deadline)) return false;
  char chunk[65536];
  const ssize_t size = ::recv(fd, chunk, sizeof chunk, MSG_DONTWAIT);
  if (size <= 0) return false;
  buffer.append(chunk, static_cast<std::size_t>(size));
  return true;
}

}  // namespace rigd::sim::adapter
