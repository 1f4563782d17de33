// Waiting on the reactor for a point in time or for something to happen. Neither throws; when the waiting
// coroutine is cancelled they return at once.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <vector>

#include "base/clock.hpp"

namespace rigd::io {

boost::asio::awaitable<void> sleep_until(Deadline deadline);

// Wakes coroutines of the same reactor thread. It remembers nothing: test the condition, then wait, in a
// loop; nothing else runs between the two.
class Event {
 public:
  explicit Event(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void notify_all();
  // True: notified. False: the deadline passed, or the coroutine was cancelled.
  boost::asio::awaitable<bool> wait(Deadline deadline);

 private:
  struct Waiter;
  boost::asio::any_io_executor executor_;
  std::vector<Waiter*> waiters_;
};

}  // namespace rigd::io
