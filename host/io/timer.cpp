#include "io/timer.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace rigd::io {

namespace asio = boost::asio;

namespace {
constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
}

asio::awaitable<void> sleep_until(Deadline deadline) {
  asio::steady_timer timer(co_await asio::this_coro::executor, deadline.at);
  co_await timer.async_wait(kNoThrow);
}

struct Event::Waiter {
  Event& event;
  asio::steady_timer timer;
  bool notified = false;

  Waiter(Event& of, Deadline deadline) : event(of), timer(of.executor_, deadline.at) {
    event.waiters_.push_back(this);
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  ~Waiter() { std::erase(event.waiters_, this); }
};

void Event::notify_all() {
  for (Waiter* waiter : waiters_) {
    waiter->notified = true;
    waiter->timer.cancel();
  }
}

asio::awaitable<bool> Event::wait(Deadline deadline) {
  Waiter waiter(*this, deadline);
  co_await waiter.timer.async_wait(kNoThrow);
  co_return waiter.notified;
}

}  // namespace rigd::io
