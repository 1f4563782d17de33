// A program the launcher keeps: its output in a log file, its end noticed, its life bounded by the
// launcher's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "io/capped_text.hpp"
#include "io/fd.hpp"
#include "io/process.hpp"
#include "sim/common/poll_loop.hpp"

namespace rigd::sim::board {

class Child {
 public:
  // Errors: spawn_failed, io_failure (log).
  static Result<Child> start(std::string name, const std::vector<std::string>& command,
                             const std::string& log_path);

  Child(Child&&) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();  // SIGKILL to its process group, and reaps

  void watch(PollLoop& loop);
  void signal(int number) const;  // to its process group, while it runs

  const std::string& name() const { return name_; }
  bool ready() const { return ready_; }  // has printed the line `ready`
  // Empty while it runs or output may still come.
  std::optional<io::ExitStatus> ended() const;
  std::string errors() const { return errors_.str(); }  // standard error, its beginning and its end
  std::string last_error_line() const;

 private:
  Child() = default;

  void read_output();
  void read_errors();
  void reap();
  std::string read_some(io::UniqueFd& fd);  // also into the log; closes `fd` at its end

  std::string name_;
  pid_t pid_ = -1;
  io::UniqueFd pidfd_;  // empty once it has been reaped
  io::UniqueFd out_;
  io::UniqueFd err_;
  io::UniqueFd log_;
  std::size_t logged_ = 0;
  std::string line_;  // of standard output, unfinished
  bool ready_ = false;
  io::CappedText errors_{16u << 10, 48u << 10};
  io::ExitStatus status_;
};

}  // namespace rigd::sim::board
