#include "io/fd_stream.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>

#include "io/watchdog.hpp"

namespace rigd::io {

namespace asio = boost::asio;
using Descriptor = asio::posix::stream_descriptor;
using boost::system::error_code;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

bool is_socket(int fd) {
  struct stat facts{};
  return ::fstat(fd, &facts) == 0 && S_ISSOCK(facts.st_mode);
}

// What a vanished peer or device looks like: sockets reset, ttys hang up with EIO, unplugged devices are
// gone.
bool means_disconnected(const error_code& error) {
  if (error == asio::error::eof) return true;
  switch (error.value()) {
    case EIO:
    case ENODEV:
    case ENXIO:
    case EPIPE:
    case ECONNRESET:
    case ENOTCONN:
    case ESHUTDOWN:
      return error.category() == boost::system::system_category();
    default:
      return false;
  }
}

// Shared with the coroutines in flight, which may outlive the stream by one step.
struct Channel {
  Channel(const asio::any_io_executor& executor, UniqueFd fd, std::string of)
      : descriptor(executor),
        reading(executor),
        writing(executor),
        name(std::move(of)),
        socket(is_socket(fd.get())) {
    descriptor.assign(fd.release());
    descriptor.native_non_blocking(true);
  }

  // A closed peer must be an error here, not a SIGPIPE.
  ssize_t put(std::span<const std::byte> bytes) {
    const int fd = descriptor.native_handle();
    return socket ? ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL)
                  : ::write(fd, bytes.data(), bytes.size());
  }

  std::unexpected<Error> failure(const error_code& error, const Watchdog::Watch* watch = nullptr) const {
    if (closed) return fail(ErrorCode::disconnected, name + ": closed");
    if (error == asio::error::operation_aborted) {
      if (watch != nullptr && watch->expired())
        return fail(ErrorCode::timeout, name + ": nothing within the deadline");
      return fail(ErrorCode::interrupted, name + ": cancelled");
    }
    if (means_disconnected(error))
      return fail(ErrorCode::disconnected, fmt::format("{}: {}", name, error.message()));
    return fail(ErrorCode::io_failure, fmt::format("{}: {}", name, error.message()));
  }

  Descriptor descriptor;
  Watchdog reading;
  Watchdog writing;
  std::string name;
  bool socket;
  bool closed = false;
};

class FdStream final : public ByteStream {
 public:
  explicit FdStream(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  ~FdStream() override { close(); }

  Awaitable<Result<std::size_t>> read_some(std::span<std::byte> into, Deadline deadline) override {
    return read_from(channel_, into, deadline);
  }
  Awaitable<Result<void>> write(std::span<const std::byte> bytes, Deadline deadline) override {
    return write_to(channel_, bytes, deadline);
  }
  void close() noexcept override {
    channel_->closed = true;
    error_code ignored;
    channel_->descriptor.close(ignored);
    channel_->reading.stop();
    channel_->writing.stop();
  }

 private:
  static Awaitable<Result<std::size_t>> read_from(std::shared_ptr<Channel> channel, std::span<std::byte> into,
                                                  Deadline deadline) {
    if (channel->closed) co_return channel->failure({});
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    Watchdog::Watch watch(channel->reading, deadline, cancellation.slot());
    auto token = asio::bind_cancellation_slot(watch.slot(), kNoThrow);
    const auto buffer = asio::buffer(into.data(), into.size());
    const auto [error, count] = co_await channel->descriptor.async_read_some(buffer, std::move(token));
    if (error) co_return channel->failure(error, &watch);
    co_return count;
  }

  static Awaitable<Result<void>> write_to(std::shared_ptr<Channel> channel, std::span<const std::byte> bytes,
                                          Deadline deadline) {
    while (!bytes.empty()) {
      if (channel->closed) co_return channel->failure({});
      const ssize_t count = channel->put(bytes);
      if (count >= 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        continue;
      }
      if (errno == EINTR) continue;
      if (errno != EAGAIN) co_return channel->failure(error_code(errno, boost::system::system_category()));
      const auto cancellation = co_await asio::this_coro::cancellation_state;
      Watchdog::Watch watch(channel->writing, deadline, cancellation.slot());
      auto token = asio::bind_cancellation_slot(watch.slot(), kNoThrow);
      const auto [error] = co_await channel->descriptor.async_wait(Descriptor::wait_write, std::move(token));
      if (error) co_return channel->failure(error, &watch);
    }
    co_return Result<void>{};
  }

  std::shared_ptr<Channel> channel_;
};

}  // namespace

StreamPtr make_fd_stream(const asio::any_io_executor& executor, UniqueFd fd, std::string name) {
  return std::make_unique<FdStream>(std::make_shared<Channel>(executor, std::move(fd), std::move(name)));
}

Result<std::pair<StreamPtr, StreamPtr>> make_stream_pair(const asio::any_io_executor& executor) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorCode::io_failure, fmt::format("socketpair: {}", std::generic_category().message(errno)));
  UniqueFd first(ends[0]);
  UniqueFd second(ends[1]);
  return std::pair(make_fd_stream(executor, std::move(first), "pair/0"),
                   make_fd_stream(executor, std::move(second), "pair/1"));
}

}  // namespace rigd::io
