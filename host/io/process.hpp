// Child processes that never outlive rigd: each has its own process group, dies with its parent
// (PR_SET_PDEATHSIG), is killed with its whole group when its Process goes away or its leader exits, and is
// always reaped.
#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "io/stream.hpp"

namespace rigd::io {

struct ExitStatus {
  int code = 0;    // exit status; meaningless when killed by a signal
  int signal = 0;  // 0: exited by itself

  bool ok() const { return code == 0 && signal == 0; }
  std::string text() const;  // "exit status 1", "killed by signal 9 (Killed)"
};

struct ProcessOptions {
  std::vector<std::string> argv;                         // argv[0]: a path, or a name looked up in PATH
  std::vector<std::pair<std::string, std::string>> env;  // added to the parent's, or replacing its variables
  std::string cwd;                                       // empty: the parent's
  std::string log_file;                                  // gets standard output and error too; empty: none
  std::size_t log_cap = 8u << 20;                        // bytes, then the file grows no more
  std::size_t keep_first = 16u << 10;                    // of the output kept in memory
  std::size_t keep_last = 48u << 10;
};

class Process {
 public:
  // Standard input is /dev/null. The parent-death signal follows the forking thread, so this must be called
  // on the main thread (else: internal). Errors: spawn_failed (not found, not executable, no resources),
  // io_failure (log).
  static Result<Process> spawn(const boost::asio::any_io_executor& executor, const ProcessOptions& options);

  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();  // kills the group and reaps

  // Waits for the end. Error: timeout, and the process runs on. All output until the end is then in output().
  Awaitable<Result<ExitStatus>> wait(Deadline deadline);

  // Waits until standard output has brought `line` (without its newline). Errors: child_died with the last
  // line of its output, timeout.
  Awaitable<Result<void>> wait_for_line(std::string line, Deadline deadline);

  // SIGTERM to the group, SIGKILL when it still runs after `grace`.
  Awaitable<Result<ExitStatus>> terminate(Duration grace);

  void kill_group() noexcept;  // SIGKILL; follow with wait()

  pid_t pid() const noexcept;
  std::optional<ExitStatus> status() const noexcept;  // empty while it runs
  std::string output() const;                         // standard output and error in order of arrival, capped
  std::string last_line() const;                      // of output(), without empty lines

 private:
  struct State;
  explicit Process(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace rigd::io
