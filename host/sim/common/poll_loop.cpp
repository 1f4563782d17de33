#include "sim/common/poll_loop.hpp"

#include <chrono>
#include <utility>

namespace rigd::sim {

void PollLoop::watch(int fd, short events, Handler handler) {
  fds_.push_back({fd, events, 0});
  handlers_.push_back(std::move(handler));
}

void PollLoop::turn(Deadline deadline) {
  // A handler may start what watches in the next turn; it must not disturb this one.
  std::vector<pollfd> fds = std::exchange(fds_, {});
  const std::vector<Handler> handlers = std::exchange(handlers_, {});
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(deadline.left());
  if (::poll(fds.data(), fds.size(), static_cast<int>(wait.count())) <= 0) return;
  for (std::size_t i = 0; i < fds.size(); ++i)
    if (fds[i].revents != 0) handlers[i]();
}

}  // namespace rigd::sim
