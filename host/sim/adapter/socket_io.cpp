#include "sim/adapter/socket_io.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace rigd::sim::adapter {
namespace {

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

Result<io::UniqueFd> connect_unix(const std::string& path, Deadline deadline) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return fail(ErrorCode::bad_argument, fmt::format("{}: longer than a socket path may be", path));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  for (;;) {
    io::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (fd && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return fd;
    if (deadline.passed())
      return fail(ErrorCode::io_failure, fmt::format("{}: {}", path, std::strerror(errno)));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
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
