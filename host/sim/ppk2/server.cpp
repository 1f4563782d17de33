#include "sim/ppk2/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "sim/common/unix_socket.hpp"

namespace rigd::sim::ppk2 {

namespace {

using namespace std::chrono_literals;

constexpr auto kHubWait = 10s;
constexpr int kTickMs = 1;    // while sampling: a hundred samples
constexpr int kIdleMs = 100;  // supply-off and late answers need no more

Device::Time now() {
  return std::chrono::duration_cast<Device::Time>(Clock::now().time_since_epoch());
}

std::unexpected<Error> failed(std::string_view what, const std::string& path) {
  return fail(ErrorCode::io_failure,
              fmt::format("{} {}: {}", what, path, std::generic_category().message(errno)));
}

// The hub may still be starting.
Result<io::UniqueFd> connect_to(const std::string& path, Deadline deadline) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return fail(ErrorCode::bad_argument, fmt::format("socket name too long: {}", path));
  std::memcpy(address.sun_path, path.data(), path.size());
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  for (;;) {
    io::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (fd && ::connect(fd.get(), generic, sizeof address) == 0) {
      ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
      return fd;
    }
    if (deadline.passed()) return failed("cannot connect to", path);
    std::this_thread::sleep_for(5ms);
  }
}

bool again() {
  return errno == EAGAIN || errno == EINTR;
}

}  // namespace

Server::Server(Paths paths, Device& device) : paths_(std::move(paths)), device_(device) {}

Server::~Server() {
  if (listener_) ::unlink(paths_.listen.c_str());
}

Result<void> Server::start() {
  RIGD_TRY(listener_, listen_unix(paths_.listen));
  RIGD_TRY(edges_, connect_to(paths_.edges, Deadline::in(kHubWait)));
  if (paths_.truth.empty()) return {};
  truth_.reset(::open(paths_.truth.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (!truth_) return failed("cannot write", paths_.truth);
  return {};
}

void Server::run(int stop) {
  for (;;) {
    std::array<pollfd, 4> fds{{
        {.fd = stop, .events = POLLIN, .revents = 0},
        {.fd = client_ ? -1 : listener_.get(), .events = POLLIN, .revents = 0},
        {.fd = client_.get(),
         .events = static_cast<short>(output_waiting() ? POLLIN | POLLOUT : POLLIN),
         .revents = 0},
        {.fd = edges_.get(), .events = POLLIN, .revents = 0},
    }};
    if (::poll(fds.data(), fds.size(), wait_ms()) < 0 && !again()) return;
    if (fds[0].revents != 0) return;
    turn(fds[2].revents, fds[3].revents, fds[1].revents != 0);
  }
}

int Server::wait_ms() const {
  return device_.sampling() ? kTickMs : kIdleMs;
}

// Edges first: what is known of the board decides which samples may be taken.
void Server::turn(short client_events, short edge_events, bool knocking) {
  if (edge_events != 0) read_edges();
  if (knocking) accept_client();
  if (client_events & (POLLIN | POLLHUP | POLLERR)) read_client();
  device_.advance(now());
  if (output_waiting()) write_client();
  if (client_ && device_.gone() && device_.output().empty()) drop_client();
  if (device_.unplugged() && listener_) {
    listener_.reset();
    ::unlink(paths_.listen.c_str());
  }
}

void Server::accept_client() {
  client_ = accept_unix(listener_.get());
  if (client_) device_.connect();
}

void Server::read_client() {
  std::array<std::byte, 4096> buffer;
  const ssize_t got = ::read(client_.get(), buffer.data(), buffer.size());
  if (got > 0)
    device_.command(std::span(buffer).first(static_cast<std::size_t>(got)), now());
  else if (got == 0 || !again())
    drop_client();
}

void Server::write_client() {
  while (output_waiting()) {
    const auto bytes = device_.output();
    const ssize_t put = ::send(client_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0) {
      if (!again()) drop_client();
      return;
    }
    device_.written(static_cast<std::size_t>(put));
  }
}

void Server::drop_client() {
  client_.reset();
  device_.hang_up(now());
}

void Server::read_edges() {
  std::array<std::byte, 16384> buffer;
  const ssize_t got = ::read(edges_.get(), buffer.data(), buffer.size());
  if (got == 0) return edges_ended("the board is gone");
  if (got < 0) {
    if (!again()) edges_ended(std::generic_category().message(errno));
    return;
  }
  const auto edges = edge_stream_.push(std::span(buffer).first(static_cast<std::size_t>(got)));
  if (!edges) return edges_ended(edges.error().text());
  for (const Edge& edge : *edges)
    if (const auto truth = device_.edge(edge)) record(*truth);
}

void Server::edges_ended(std::string_view why) {
  log::warning("rigd-sim-ppk2: no more edges: {}", why);
  edges_.reset();
  device_.edges_ended();
}

void Server::record(const Truth& truth) {
  if (!truth_) return;
  const std::string line = fmt::format(
      "{{\"window\":{},\"first_cycles\":{},\"last_cycles\":{},\"duration_s\":{:.12g},\"charge_c\":{:.12g}}}"
      "\n",
      truth.window, truth.first_cycles, truth.last_cycles, truth.duration_s, truth.charge_c);
  if (::write(truth_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    log::error("rigd-sim-ppk2: cannot write {}", paths_.truth);
}

}  // namespace rigd::sim::ppk2
