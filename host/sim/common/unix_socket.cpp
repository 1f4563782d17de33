#include "sim/common/unix_socket.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rigd::sim {

Result<io::UniqueFd> listen_unix(const std::string& path, int type) {
  constexpr int backlog = 16;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path))
    return fail(ErrorCode::bad_argument, fmt::format("socket path '{}' is not 1 to {} bytes long", path,
                                                     sizeof(address.sun_path) - 1));
  std::memcpy(address.sun_path, path.data(), path.size());

  io::UniqueFd fd(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (is_socket(path)) ::unlink(path.c_str());
  if (!fd || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(fd.get(), backlog) != 0)
    return fail(ErrorCode::io_failure, fmt::format("{}: {}", path, std::strerror(errno)));
  return fd;
}

io::UniqueFd accept_unix(int listener) {
  return io::UniqueFd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

bool is_socket(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace rigd::sim
