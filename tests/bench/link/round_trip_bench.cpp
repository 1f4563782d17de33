// One 64-byte command and its echo over a Unix socket, as a plain read/write loop would do it and as rigd
// does it. The peer is a process of its own that echoes with read and write. The argument says where it runs:
// 0 on this CPU, 1 on another one (then the wake-up of an idle CPU is most of the time).
#include <benchmark/benchmark.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <vector>

#include "io/fd_stream.hpp"
#include "link/codec.hpp"
#include "link/frame.hpp"
#include "link/session.hpp"
#include "link/wire.pb.h"

namespace rigd::link {
namespace {

using namespace std::chrono_literals;

void run_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ::sched_setaffinity(0, sizeof(set), &set);
}

using Serve = void (*)(int fd);

void echo(int fd) {
  char bytes[4096];
  for (ssize_t count; (count = ::read(fd, bytes, sizeof(bytes))) > 0;)
    if (::write(fd, bytes, static_cast<std::size_t>(count)) != count) return;
}

// A board's part of check_case, as cheap as the generated classes allow.
void answer_checks(int fd) {
  FrameDecoder decoder;
  std::byte bytes[4096];
  for (ssize_t count; (count = ::read(fd, bytes, sizeof(bytes))) > 0;) {
    std::span<const std::byte> input(bytes, static_cast<std::size_t>(count));
    while (const auto payload = decoder.next(input)) {
      wire::Request request;
      request.ParseFromArray(payload->data(), static_cast<int>(payload->size()));
      wire::Response response;
      response.set_sequence(request.sequence());
      response.set_nonce(request.nonce());
      response.mutable_check()->set_passed(true);
      const std::string answer = response.SerializeAsString();
      FrameBuffer buffer;
      const auto frame = encode_frame(std::as_bytes(std::span(answer)), buffer);
      if (::write(fd, frame.data(), frame.size()) < 0) return;
    }
  }
}

// The peer process, ended with its owner.
class Peer {
 public:
  Peer(Serve serve, int cpu) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
    ours_.reset(ends[0]);
    const io::UniqueFd theirs(ends[1]);
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ours_.reset();
    run_on(cpu);
    serve(theirs.get());
    ::_exit(0);
  }
  ~Peer() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int fd() const { return ours_.get(); }
  io::UniqueFd take() { return std::move(ours_); }

 private:
  io::UniqueFd ours_;
  pid_t pid_ = -1;
};

// Median and 99th percentile of single round trips, and the CPU time of our side.
class Times {
 public:
  void start() { begin_ = Clock::now(); }
  void stop() { spans_.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin_).count()); }

  void report(benchmark::State& state) {
    if (spans_.empty()) return;
    std::ranges::sort(spans_);
    state.counters["p50_us"] = spans_[spans_.size() / 2];
    state.counters["p99_us"] = spans_[spans_.size() * 99 / 100];
  }

 private:
  TimePoint begin_;
  std::vector<double> spans_;
};

std::vector<std::byte> frame_of_64_bytes() {
  const std::vector<std::byte> payload(64, std::byte{0x5A});
  FrameBuffer buffer;
  const auto frame = encode_frame(payload, buffer);
  return {frame.begin(), frame.end()};
}

// `wait` runs before each read.
template <class Wait>
void posix_loop(benchmark::State& state, Wait wait) {
  run_on(0);
  const Peer peer(echo, static_cast<int>(state.range(0)));
  const std::vector<std::byte> frame = frame_of_64_bytes();
  Times times;
  for (auto _ : state) {
    times.start();
    if (::write(peer.fd(), frame.data(), frame.size()) < 0) std::abort();
    std::byte bytes[4096];
    for (std::size_t got = 0; got < frame.size();) {
      wait(peer.fd());
      got += static_cast<std::size_t>(::read(peer.fd(), bytes, sizeof(bytes)));
    }
    times.stop();
  }
  times.report(state);
}

// The floor: blocking, so without any deadline.
void posix_echo(benchmark::State& state) {
  posix_loop(state, [](int) {});
}
BENCHMARK(posix_echo)->Arg(0)->Arg(1)->UseRealTime();

// The least a loop with a deadline costs.
void posix_poll_echo(benchmark::State& state) {
  posix_loop(state, [](int fd) {
    pollfd wanted{fd, POLLIN, 0};
    if (::poll(&wanted, 1, 1000) != 1) std::abort();
  });
}
BENCHMARK(posix_poll_echo)->Arg(0)->Arg(1)->UseRealTime();

io::Awaitable<void> echo_frames(io::ByteStream& stream, benchmark::State& state) {
  FrameDecoder decoder;
  std::array<std::byte, 4096> buffer;
  const std::vector<std::byte> payload(64, std::byte{0x5A});
  Times times;
  for (auto _ : state) {
    times.start();
    const Deadline deadline = Deadline::in(1s);
    FrameBuffer frame;
    const auto sent = co_await stream.write(encode_frame(payload, frame), deadline);
    if (!sent) std::abort();
    for (bool done = false; !done;) {
      const auto count = co_await stream.read_some(buffer, deadline);
      if (!count) std::abort();
      std::span<const std::byte> input = std::span(buffer).first(*count);
      done = decoder.next(input).has_value();
    }
    times.stop();
  }
  times.report(state);
}

void stream_echo(benchmark::State& state) {
  run_on(0);
  Peer peer(echo, static_cast<int>(state.range(0)));
  boost::asio::io_context context(1);
  const auto stream = io::make_fd_stream(context.get_executor(), peer.take(), "echo");
  boost::asio::co_spawn(context, echo_frames(*stream, state), boost::asio::detached);
  context.run();
}
BENCHMARK(stream_echo)->Arg(0)->Arg(1)->UseRealTime();

io::Awaitable<void> check_often(Session& session, benchmark::State& state) {
  Times times;
  for (auto _ : state) {
    times.start();
    const CheckRequest request{.index = 1, .size = 256};
    const auto result = co_await session.check_case(request, Deadline::in(1s));
    if (!result) std::abort();
    times.stop();
  }
  times.report(state);
}

// A whole request of the session and the answer of a peer that decodes and encodes too.
void session_check(benchmark::State& state) {
  run_on(0);
  Peer peer(answer_checks, static_cast<int>(state.range(0)));
  boost::asio::io_context context(1);
  Session session(io::make_fd_stream(context.get_executor(), peer.take(), "board"), 0x600DCAFE);
  boost::asio::co_spawn(context, check_often(session, state), boost::asio::detached);
  context.run();
}
BENCHMARK(session_check)->Arg(0)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace rigd::link
