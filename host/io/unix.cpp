#include "io/unix.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <cerrno>
#include <cstring>

#include "io/fd_stream.hpp"
#include "io/timer.hpp"

namespace rigd::io {

namespace {

using namespace std::chrono_literals;

constexpr auto kFirstPause = 2ms;
constexpr auto kLongestPause = 50ms;

// The connected socket, or errno.
std::expected<UniqueFd, int> connect_once(const sockaddr_un& address) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return std::unexpected(errno);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    return std::unexpected(errno);
  return fd;
}

// Not there yet, there but not listening yet, or its backlog is full.
bool may_still_come(int error) {
  return error == ENOENT || error == ECONNREFUSED || error == EAGAIN;
}

}  // namespace

Awaitable<Result<StreamPtr>> open_unix(std::string path, Deadline deadline) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path))
    co_return fail(ErrorCode::bad_argument, fmt::format("socket path '{}' is not 1 to {} bytes long", path,
                                                        sizeof(address.sun_path) - 1));
  std::memcpy(address.sun_path, path.data(), path.size());

  auto executor = co_await boost::asio::this_coro::executor;
  for (auto pause = Duration(kFirstPause);; pause = std::min<Duration>(2 * pause, kLongestPause)) {
    auto fd = connect_once(address);
    if (fd) co_return make_fd_stream(executor, std::move(*fd), path);
    if (!may_still_come(fd.error()))
      co_return fail(ErrorCode::io_failure, fmt::format("{}: {}", path, std::strerror(fd.error())));
    if (deadline.passed())
      co_return fail(ErrorCode::port_missing, fmt::format("{}: {}", path, std::strerror(fd.error())));
    const Deadline next = Deadline::in(pause).earlier(deadline);
    co_await sleep_until(next);
  }
}

}  // namespace rigd::io
