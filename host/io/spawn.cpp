#include "io/spawn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace rigd::io {

namespace {

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorCode::spawn_failed, fmt::format("pipe: {}", std::strerror(errno)));
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

bool is_executable_file(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0;
}

// As execvp would find it, but before the fork, where there is still somebody to tell.
Result<std::string> find_program(const std::string& name) {
  if (name.contains('/')) return name;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string candidate = fmt::format("{}/{}", rest.substr(0, end), name);
    if (is_executable_file(candidate)) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return fail(ErrorCode::spawn_failed, fmt::format("program '{}' is not in PATH", name));
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& extra) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::ranges::any_of(extra, [&](const auto& pair) { return pair.first == name; });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : extra)
    all.push_back(fmt::format("{}={}", name, value));
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// All the child needs, made before the fork: after it only async-signal-safe calls are allowed.
struct Launch {
  const char* program;
  char* const* argv;
  char* const* env;
  const char* cwd;  // null: stay
  int out;
  int err;
  int failure;  // gets errno when something fails; closes itself on exec
  pid_t parent;
};

void reset_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD})
    ::signal(signal, SIG_DFL);
}

bool set_up_child(const Launch& launch) {
  // A parent that died before prctl would never be noticed: hence the check after it.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  if (::getppid() != launch.parent) ::_exit(127);
  if (::setpgid(0, 0) != 0) return false;
  reset_signals();
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || ::dup2(null, 0) < 0 || ::dup2(launch.out, 1) < 0 || ::dup2(launch.err, 2) < 0) return false;
  if (launch.cwd != nullptr && ::chdir(launch.cwd) != 0) return false;
  // Whatever a library opened without O_CLOEXEC stays here.
  return ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) == 0;
}

[[noreturn]] void run_child(const Launch& launch) {
  if (set_up_child(launch)) ::execve(launch.program, launch.argv, launch.env);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(launch.failure, &error, sizeof(error));
  ::_exit(127);
}

// 0 when the child reached its program, else the errno it stopped with.
int read_failure(int fd) {
  int error = 0;
  ssize_t count;
  do
    count = ::read(fd, &error, sizeof(error));
  while (count < 0 && errno == EINTR);
  return count == sizeof(error) ? error : 0;
}

// glibc 2.36 declares pidfd_open without C linkage, so C++ cannot link it.
int open_pidfd(pid_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

// Descriptors 0 to 2 of the parent may be closed; the pipes must not land there, or dup2 would undo them.
Result<void> require_standard_descriptors() {
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0)
      return fail(ErrorCode::spawn_failed, fmt::format("/dev/null: {}", std::strerror(errno)));
  return {};
}

}  // namespace

Result<Spawned> spawn_child(const std::vector<std::string>& argv,
                            const std::vector<std::pair<std::string, std::string>>& env,
                            const std::string& cwd) {
  if (argv.empty()) return fail(ErrorCode::internal, "spawn: no program given");
  RIGD_CHECK(require_standard_descriptors());
  RIGD_TRY(const std::string program, find_program(argv.front()));
  RIGD_TRY(Pipe out, make_pipe());
  RIGD_TRY(Pipe err, make_pipe());
  RIGD_TRY(Pipe failure, make_pipe());
  std::vector<std::string> arguments = argv;
  std::vector<std::string> variables = environment_with(env);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> variable_pointers = pointers_to(variables);
  const Launch launch{.program = program.c_str(),
                      .argv = argument_pointers.data(),
                      .env = variable_pointers.data(),
                      .cwd = cwd.empty() ? nullptr : cwd.c_str(),
                      .out = out.write_end.get(),
                      .err = err.write_end.get(),
                      .failure = failure.write_end.get(),
                      .parent = ::getpid()};

  const pid_t pid = ::fork();
  if (pid == 0) run_child(launch);
  if (pid < 0) return fail(ErrorCode::spawn_failed, fmt::format("fork: {}", std::strerror(errno)));
  failure.write_end.reset();
  int error = read_failure(failure.read_end.get());
  UniqueFd pidfd(error == 0 ? open_pidfd(pid) : -1);
  if (error == 0 && !pidfd) error = errno;
  if (error != 0) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(ErrorCode::spawn_failed, fmt::format("{}: {}", program, std::strerror(error)));
  }
  return Spawned{pid, std::move(pidfd), std::move(out.read_end), std::move(err.read_end)};
}

}  // namespace rigd::io
