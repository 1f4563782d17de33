#include "io/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>
#include <deque>

#include "io/capped_text.hpp"
#include "io/spawn.hpp"
#include "io/timer.hpp"

namespace rigd::io {

namespace asio = boost::asio;
using asio::posix::stream_descriptor;
using boost::system::error_code;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kLongestLine = 4096;  // of standard output, for wait_for_line
constexpr std::size_t kLinesKept = 256;
constexpr std::size_t kMostAtOnce = 64u << 10;  // before others get their turn
constexpr std::size_t kMostDrained = 1u << 20;  // after the end: a pipe holds no more

// Complete lines of standard output nobody has waited for yet.
class Lines {
 public:
  void append(std::string_view text) {
    for (const char c : text) {
      if (c == '\n')
        finish_line();
      else if (current_.size() < kLongestLine)
        current_ += c;
    }
  }

  // Whether `line` came; it and what came before it are forgotten.
  bool take(std::string_view line) {
    const auto found = std::ranges::find(complete_, line);
    if (found == complete_.end()) return false;
    complete_.erase(complete_.begin(), found + 1);
    return true;
  }

 private:
  void finish_line() {
    complete_.push_back(std::exchange(current_, {}));
    if (complete_.size() > kLinesKept) complete_.pop_front();
  }

  std::deque<std::string> complete_;
  std::string current_;
};

Result<UniqueFd> open_log(const std::string& path) {
  if (path.empty()) return UniqueFd();
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) return fail(ErrorCode::io_failure, fmt::format("{}: {}", path, std::strerror(errno)));
  return fd;
}

}  // namespace

std::string ExitStatus::text() const {
  if (signal == 0) return fmt::format("exit status {}", code);
  return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
}

// Shared with the coroutines that read and reap; `owned` ends when the Process goes.
struct Process::State {
  State(const asio::any_io_executor& executor, Spawned spawned, const ProcessOptions& options,
        UniqueFd log_fd)
      : name(options.argv.front()),
        pid(spawned.pid),
        pidfd(executor, spawned.pidfd.release()),
        out(executor, spawned.out.release()),
        err(executor, spawned.err.release()),
        text(options.keep_first, options.keep_last),
        log(std::move(log_fd)),
        log_room(options.log_cap),
        changed(executor) {
    out.native_non_blocking(true);
    err.native_non_blocking(true);
  }

  void take(std::string_view bytes, bool standard_output) {
    text.append(bytes);
    if (standard_output) lines.append(bytes);
    write_log(bytes.substr(0, log_room));
    changed.notify_all();
  }

  void write_log(std::string_view bytes) {
    if (!log || bytes.empty()) return;
    const ssize_t count = ::write(log.get(), bytes.data(), bytes.size());
    // A full disk costs the log, never the run: what matters of it is in memory.
    if (count < 0)
      log.reset();
    else
      log_room -= static_cast<std::size_t>(count);
  }

  // Takes what is in a pipe, up to `limit` bytes. False at the end of its stream.
  bool take_available(stream_descriptor& pipe, bool standard_output, std::size_t limit) {
    std::array<char, 8192> chunk;
    for (std::size_t total = 0; total < limit;) {
      const ssize_t count = ::read(pipe.native_handle(), chunk.data(), chunk.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return count < 0 && errno == EAGAIN;
      total += static_cast<std::size_t>(count);
      take({chunk.data(), static_cast<std::size_t>(count)}, standard_output);
    }
    return true;
  }

  // Takes what is left in a pipe whose writers are dead.
  void drain(stream_descriptor& pipe, bool standard_output) {
    take_available(pipe, standard_output, kMostDrained);
    error_code ignored;
    pipe.close(ignored);
  }

  // Waits (blocking) for the end, which has come or is certain. The rest of the group is killed before the
  // leader is reaped: until then its number cannot belong to anybody else.
  void reap() {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    ::kill(-pid, SIGKILL);
    drain(out, true);
    drain(err, false);
    int raw = 0;
    while (::waitpid(pid, &raw, 0) < 0 && errno == EINTR) {
    }
    status = WIFSIGNALED(raw) ? ExitStatus{0, WTERMSIG(raw)} : ExitStatus{WEXITSTATUS(raw), 0};
    error_code ignored;
    pidfd.close(ignored);
    changed.notify_all();
  }

  std::string last_line() const {
    const std::string all = text.str();
    const std::size_t end = all.find_last_not_of(" \r\n");
    if (end == std::string::npos) return "(no output)";
    const std::size_t begin = all.find_last_of('\n', end) + 1;  // npos + 1 is 0: the first line
    return all.substr(begin, end - begin + 1);
  }

  void kill_group(int signal) const noexcept {
    if (!status) ::kill(-pid, signal);
  }

  // Waits, then reads: an asynchronous read could have bytes in hand while drain() takes those that came
  // after them.
  static asio::awaitable<void> read_pipe(std::shared_ptr<State> state, bool standard_output) {
    stream_descriptor& pipe = standard_output ? state->out : state->err;
    for (bool more = true; more;) {
      const auto [error] = co_await pipe.async_wait(stream_descriptor::wait_read, kNoThrow);
      more = !error && pipe.is_open() && state->take_available(pipe, standard_output, kMostAtOnce);
    }
  }

  static asio::awaitable<void> reap_at_end(std::shared_ptr<State> state) {
    const auto [error] = co_await state->pidfd.async_wait(stream_descriptor::wait_read, kNoThrow);
    if (!error && !state->status) state->reap();
  }

  std::string name;
  pid_t pid;
  stream_descriptor pidfd;
  stream_descriptor out;
  stream_descriptor err;
  CappedText text;
  Lines lines;
  UniqueFd log;
  std::size_t log_room;
  Event changed;
  std::optional<ExitStatus> status;
};

Result<Process> Process::spawn(const asio::any_io_executor& executor, const ProcessOptions& options) {
  if (::gettid() != ::getpid())
    return fail(ErrorCode::internal, "spawn: not on the main thread, the child would die with this one");
  RIGD_TRY(UniqueFd log, open_log(options.log_file));
  RIGD_TRY(Spawned spawned, spawn_child(options.argv, options.env, options.cwd));
  auto state = std::make_shared<State>(executor, std::move(spawned), options, std::move(log));
  asio::co_spawn(executor, State::read_pipe(state, true), asio::detached);
  asio::co_spawn(executor, State::read_pipe(state, false), asio::detached);
  asio::co_spawn(executor, State::reap_at_end(state), asio::detached);
  return Process(std::move(state));
}

Process::Process(std::shared_ptr<State> state) : state_(std::move(state)) {}
Process::Process(Process&&) noexcept = default;

Process& Process::operator=(Process&& other) noexcept {
  const Process old(std::move(*this));  // ends what was here
  state_ = std::move(other.state_);
  return *this;
}

Process::~Process() {
  if (!state_ || state_->status) return;
  kill_group();
  state_->reap();
}

asio::awaitable<Result<ExitStatus>> Process::wait(Deadline deadline) {
  const auto state = state_;
  while (!state->status) {
    if (deadline.passed())
      co_return fail(ErrorCode::timeout, fmt::format("{}: still running at its deadline", state->name));
    co_await state->changed.wait(deadline);
  }
  co_return *state->status;
}

asio::awaitable<Result<void>> Process::wait_for_line(std::string line, Deadline deadline) {
  const auto state = state_;
  while (!state->lines.take(line)) {
    if (state->status)
      co_return fail(ErrorCode::child_died, fmt::format("{}: {} before it said '{}': {}", state->name,
                                                        state->status->text(), line, state->last_line()));
    if (deadline.passed())
      co_return fail(ErrorCode::timeout,
                     fmt::format("{}: did not say '{}' by its deadline", state->name, line));
    co_await state->changed.wait(deadline);
  }
  co_return Result<void>{};
}

asio::awaitable<Result<ExitStatus>> Process::terminate(Duration grace) {
  using namespace std::chrono_literals;
  state_->kill_group(SIGTERM);
  auto ended = co_await wait(Deadline::in(grace));
  if (ended) co_return ended;
  kill_group();
  co_return co_await wait(Deadline::in(10s));
}

void Process::kill_group() noexcept {
  state_->kill_group(SIGKILL);
}

pid_t Process::pid() const noexcept {
  return state_->pid;
}

std::optional<ExitStatus> Process::status() const noexcept {
  return state_->status;
}

std::string Process::output() const {
  return state_->text.str();
}

std::string Process::last_line() const {
  return state_->last_line();
}

}  // namespace rigd::io
