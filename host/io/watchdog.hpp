// Ends one pending Asio operation at its deadline, or when the coroutine that awaits it is cancelled. For the
// .cpp files of this folder only (it pulls in Asio).
//
//   const auto cancellation = co_await asio::this_coro::cancellation_state;
//   Watchdog::Watch watch(watchdog, deadline, cancellation.slot());
//   auto token = asio::bind_cancellation_slot(watch.slot(), asio::as_tuple(asio::use_awaitable));
//   auto [error, count] = co_await descriptor.async_read_some(buffer, std::move(token));
//   if (error == asio::error::operation_aborted && watch.expired()) ...
//
// One operation at a time. Arming a timer for each would cost a system call each, and almost none ever fires:
// so one timer ticks while operations come and go, and each tick looks whether the deadline of the moment has
// passed.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>

#include "base/clock.hpp"

namespace rigd::io {

class Watchdog {
  // Deadlines hold to the timer's own precision: a tick is early when the deadline is. The longest tick
  // bounds how long an idle watchdog keeps its reactor running.
  static constexpr auto kLongestTick = std::chrono::milliseconds(100);

  struct State {
    explicit State(const boost::asio::any_io_executor& executor) : timer(executor) {}
    boost::asio::steady_timer timer;
    boost::asio::cancellation_signal signal;
    TimePoint next_tick = TimePoint::max();  // max: none is coming
    Deadline deadline{};
    bool watching = false;
    bool expired = false;
  };

  static void tick_later(const std::shared_ptr<State>& state) {
    state->next_tick = Deadline::in(kLongestTick).earlier(state->deadline).at;
    state->timer.expires_at(state->next_tick);  // ends a wait that would come too late
    state->timer.async_wait([state](const boost::system::error_code& error) {
      if (!error) tick(state);
    });
  }

  static void tick(const std::shared_ptr<State>& state) {
    state->next_tick = TimePoint::max();
    if (!state->watching) return;
    if (!state->deadline.passed()) return tick_later(state);
    state->expired = true;
    state->signal.emit(boost::asio::cancellation_type::terminal);
  }

 public:
  explicit Watchdog(const boost::asio::any_io_executor& executor)
      : state_(std::make_shared<State>(executor)) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() { stop(); }

  // No watch may start after this.
  void stop() { state_->timer.cancel(); }

  class Watch {
   public:
    Watch(Watchdog& dog, Deadline deadline, boost::asio::cancellation_slot outer)
        : state_(dog.state_), outer_(outer) {
      state_->watching = true;
      state_->expired = false;
      state_->deadline = deadline;
      if (deadline.at < state_->next_tick) tick_later(state_);
      if (outer_.is_connected())
        outer_.assign(
            [state = state_.get()](boost::asio::cancellation_type type) { state->signal.emit(type); });
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() {
      state_->watching = false;
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
