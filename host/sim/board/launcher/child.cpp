#include "sim/board/launcher/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/spawn.hpp"

namespace rigd::sim::board {

namespace {

constexpr std::size_t kLogCap = 8u << 20;
constexpr std::size_t kLongestLine = 4096;

void set_non_blocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

}  // namespace

Result<Child> Child::start(std::string name, const std::vector<std::string>& command,
                           const std::string& log_path) {
  Child child;
  child.name_ = std::move(name);
  child.log_.reset(::open(log_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!child.log_) return fail(ErrorCode::io_failure, fmt::format("{}: {}", log_path, std::strerror(errno)));
  RIGD_TRY(io::Spawned spawned, io::spawn_child(command, {}, ""));
  child.pid_ = spawned.pid;
  child.pidfd_ = std::move(spawned.pidfd);
  child.out_ = std::move(spawned.out);
  child.err_ = std::move(spawned.err);
  set_non_blocking(child.out_.get());
  set_non_blocking(child.err_.get());
  return child;
}

Child::Child(Child&& other) noexcept = default;

Child::~Child() {
  if (!pidfd_) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Child::watch(PollLoop& loop) {
  if (out_) loop.watch(out_.get(), POLLIN, [this] { read_output(); });
  if (err_) loop.watch(err_.get(), POLLIN, [this] { read_errors(); });
  if (pidfd_) loop.watch(pidfd_.get(), POLLIN, [this] { reap(); });
}

void Child::signal(int number) const {
  if (pidfd_) ::kill(-pid_, number);
}

std::optional<io::ExitStatus> Child::ended() const {
  if (pidfd_ || out_ || err_) return std::nullopt;
  return status_;
}

std::string Child::last_error_line() const {
  std::string text = errors();
  text.erase(text.find_last_not_of('\n') + 1);
  const std::size_t start = text.rfind('\n');
  return start == text.npos ? text : text.substr(start + 1);
}

void Child::read_output() {
  for (const char c : read_some(out_)) {
    if (c != '\n') {
      if (line_.size() < kLongestLine) line_ += c;
      continue;
    }
    ready_ = ready_ || line_ == "ready";
    line_.clear();
  }
}

void Child::read_errors() {
  errors_.append(read_some(err_));
}

void Child::reap() {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return;
  pidfd_.reset();
  status_ = WIFSIGNALED(status) ? io::ExitStatus{.code = 0, .signal = WTERMSIG(status)}
                                : io::ExitStatus{.code = WEXITSTATUS(status), .signal = 0};
}

std::string Child::read_some(io::UniqueFd& fd) {
  std::array<char, 16384> bytes;
  const ssize_t count = ::read(fd.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count <= 0) {
    fd.reset();
    return {};
  }
  const auto size = static_cast<std::size_t>(count);
  if (logged_ + size <= kLogCap) {
    logged_ += size;
    [[maybe_unused]] const ssize_t written =
        ::write(log_.get(), bytes.data(), size);  // a full disk costs the log
  }
  return std::string(bytes.data(), size);
}

}  // namespace rigd::sim::board
