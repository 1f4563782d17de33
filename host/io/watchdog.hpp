// Ends one pending Asio operation at its deadline, or when the coroutine that awaits it is cancelled. For the
// .cpp files of this folder only (it pulls in Asio).
//
//   const auto cancellation = co_await asio::this_coro::cancellation_state;
//   Watchdog::Watch watch(watchdog, deadline, cancellation.slot());
//   auto token = asio::bind_cancellation_slot(watch.slot(), asio::as_tuple(asio::use_awaitable));
//   auto [error, count] = co_await descriptor.async_read_some(buffer, std::move(token));
//   if (error == asio::error::operation_aborted && watch.expired()) ...
//
// One operation at a time. Cheaper than racing two coroutines: no allocation beyond Asio's recycled handlers.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>

#include "base/clock.hpp"

namespace rigd::io {

class Watchdog {
  struct State {
    explicit State(const boost::asio::any_io_executor& executor) : timer(executor) {}
    boost::asio::steady_timer timer;
    boost::asio::cancellation_signal signal;
    std::uint64_t watch =
        0;  // which watch the timer's handler belongs to: a late one must not end its successor
    bool expired = false;
  };

 public:
  explicit Watchdog(const boost::asio::any_io_executor& executor)
      : state_(std::make_shared<State>(executor)) {}

  class Watch {
   public:
    Watch(Watchdog& dog, Deadline deadline, boost::asio::cancellation_slot outer)
        : state_(dog.state_), outer_(outer) {
      state_->expired = false;
      state_->timer.expires_at(deadline.at);
      auto on_time = [state = state_, watch = ++state_->watch](const boost::system::error_code& error) {
        if (error || state->watch != watch) return;
        state->expired = true;
        state->signal.emit(boost::asio::cancellation_type::terminal);
      };
      state_->timer.async_wait(std::move(on_time));
      if (outer_.is_connected())
        outer_.assign(
            [state = state_.get()](boost::asio::cancellation_type type) { state->signal.emit(type); });
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() {
      ++state_->watch;
      state_->timer.cancel();
      if (outer_.is_connected()) outer_.clear();
    }

    boost::asio::cancellation_slot slot() { return state_->signal.slot(); }
    bool expired() const { return state_->expired; }

   private:
    std::shared_ptr<State> state_;
    boost::asio::cancellation_slot outer_;
  };

 private:
  std::shared_ptr<State> state_;
};

}  // namespace rigd::io
