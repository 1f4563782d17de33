// Coroutines that run beside a slot's steps (streams, watchers) and must have ended before their owner goes.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "base/clock.hpp"
#include "io/stream.hpp"
#include "io/timer.hpp"

namespace rigd::run {

class TaskGroup {
 public:
  explicit TaskGroup(boost::asio::any_io_executor executor)
      : executor_(executor), ended_(std::move(executor)) {}

  // The task must handle its own errors; its end is all the group sees.
  void start(io::Awaitable<void> task) {
    ++running_;
    auto on_end = [this](const std::exception_ptr& problem) {
      --running_;
      ended_.notify_all();
      if (problem) std::rethrow_exception(problem);
    };
    boost::asio::co_spawn(executor_, std::move(task), std::move(on_end));
  }

  // True when all tasks have ended by the deadline.
  io::Awaitable<bool> wait_all(Deadline deadline) {
    while (running_ > 0) {
      if (!co_await ended_.wait(deadline)) co_return running_ == 0;
    }
    co_return true;
  }

  int running() const { return running_; }

 private:
  boost::asio::any_io_executor executor_;
  io::Event ended_;
  int running_ = 0;
};

}  // namespace rigd::run
