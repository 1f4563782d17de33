// Programs under test: started, watched, and never left behind.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "io/fd.hpp"
#include "io/spawn.hpp"
#include "sim/common/edge_record.hpp"

namespace rigd::sim::board {

// A folder with a name short enough for sockets, removed with its content.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const;

 private:
  std::string path_;
};

struct Finished {
  int status = -1;  // exit status; -1 when it had to be killed or a signal ended it
  std::string errors;
};

// Runs to the end, 30 s at most.
Finished run_program(const std::vector<std::string>& command);

class Program {
 public:
  explicit Program(const std::vector<std::string>& command);
  ~Program();  // SIGKILL
  Program(const Program&) = delete;

  pid_t pid() const { return spawned_.pid; }
  bool wait_ready(Deadline deadline);  // for the line `ready` on standard output
  Finished wait_end(Deadline deadline);
  std::vector<pid_t> children() const;

 private:
  io::Spawned spawned_;
  bool reaped_ = false;
};

void kill_and_reap(pid_t pid);
bool wait_gone(pid_t pid, Deadline deadline);  // it runs no more; a zombie nobody reaped counts as gone

io::UniqueFd connect_to(const std::string& socket);
bool wait_readable(int fd, Deadline deadline);
// The header, then edges up to and including the one `is_last` is true of, or until the stream ended or the
// deadline passed.
using IsLast = std::function<bool(const EdgeRecord&)>;
std::vector<EdgeRecord> read_edges(int fd, const IsLast& is_last, Deadline deadline);

}  // namespace rigd::sim::board
