#include "io/timer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "await.hpp"

namespace rigd::io {
namespace {

using namespace std::chrono_literals;

class Timer : public testing::Test {
 protected:
  boost::asio::io_context context_;
};

TEST_F(Timer, SleepsUntilTheDeadline) {
  const auto deadline = Deadline::in(20ms);
  test::await(context_, sleep_until(deadline));
  EXPECT_TRUE(deadline.passed());
}

TEST_F(Timer, EventWakesItsWaiters) {
  Event event(context_.get_executor());
  auto notify_soon = [&]() -> boost::asio::awaitable<void> {
    co_await sleep_until(Deadline::in(10ms));
    event.notify_all();
  };
  boost::asio::co_spawn(context_, notify_soon(), boost::asio::detached);
  const auto begin = Clock::now();
  EXPECT_TRUE(test::await(context_, event.wait(Deadline::in(10s))));
  EXPECT_LT(Clock::now() - begin, 5s);
}

TEST_F(Timer, EventWaitEndsAtItsDeadline) {
  Event event(context_.get_executor());
  EXPECT_FALSE(test::await(context_, event.wait(Deadline::in(10ms))));
}

TEST_F(Timer, EventWaitsForEverWhereThatIsMeant) {
  Event event(context_.get_executor());
  auto notify_soon = [&]() -> boost::asio::awaitable<void> {
    co_await sleep_until(Deadline::in(10ms));
    event.notify_all();
  };
  boost::asio::co_spawn(context_, notify_soon(), boost::asio::detached);
  EXPECT_TRUE(test::await(context_, event.wait(Deadline{TimePoint::max()})));
}

TEST_F(Timer, EventRemembersNothing) {
  Event event(context_.get_executor());
  event.notify_all();
  EXPECT_FALSE(test::await(context_, event.wait(Deadline::in(10ms))));
}

}  // namespace
}  // namespace rigd::io
