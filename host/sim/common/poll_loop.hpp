// One turn of a single-threaded poll() loop. Whoever takes part says before each turn what it waits for.
#pragma once

#include <poll.h>

#include <functional>
#include <vector>

#include "base/clock.hpp"

namespace rigd::sim {

class PollLoop {
 public:
  using Handler = std::function<void()>;

  // Calls `handler` in this turn when `fd` has one of `events` (POLLIN, POLLOUT) or has ended.
  void watch(int fd, short events, Handler handler);

  // Waits until something happens or the deadline passes, calls the handlers, and forgets all watches.
  void turn(Deadline deadline);

 private:
  std::vector<pollfd> fds_;
  std::vector<Handler> handlers_;
};

}  // namespace rigd::sim
