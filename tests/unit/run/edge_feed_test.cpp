#include "run/edge_feed.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace rigd::run {
namespace {

using namespace std::chrono_literals;

class Feed : public testing::Test {
 protected:
  void edge(std::uint64_t instructions, std::uint64_t cycles, int level, int pin = 0) {
    feed_.on_edge({sequence_++, instructions, cycles, static_cast<std::uint8_t>(pin),
                   static_cast<std::uint8_t>(level)});
  }
  Result<void> wait(std::size_t count, Duration patience) {
    std::optional<Result<void>> result;
    auto take = [&result](const std::exception_ptr&, Result<void> value) { result = std::move(value); };
    boost::asio::co_spawn(reactor_, feed_.wait_for_windows(count, Deadline::in(patience)), std::move(take));
    reactor_.restart();
    reactor_.run();
    return *result;
  }

  boost::asio::io_context reactor_;
  EdgeFeed feed_{reactor_.get_executor()};
  std::uint64_t sequence_ = 0;
};

TEST_F(Feed, AWindowIsWhatLiesBetweenRiseAndFall) {
  edge(100, 150, 1);
  edge(1100, 1650, 0);
  ASSERT_EQ(feed_.windows().size(), 1u);
  EXPECT_EQ(feed_.windows()[0].instructions, 1000u);
  EXPECT_EQ(feed_.windows()[0].cycles, 1500u);
}

TEST_F(Feed, OtherPinsAndFallsWithoutARiseAreNoWindows) {
  edge(1, 1, 0);
  edge(2, 2, 1, 1);
  edge(3, 3, 0, 1);
  EXPECT_TRUE(feed_.windows().empty());
}

TEST_F(Feed, ClearForgetsAnOpenWindow) {
  edge(1, 1, 1);
  feed_.clear();
  edge(2, 2, 0);
  EXPECT_TRUE(feed_.windows().empty());
}

TEST_F(Feed, WaitingSaysHowManyCame) {
  edge(1, 1, 1);
  edge(2, 2, 0);
  EXPECT_TRUE(wait(1, 1s));
  const Result<void> late = wait(2, 20ms);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::windows_missing);
  EXPECT_NE(late.error().text().find("1 of 2"), std::string::npos);
}

TEST_F(Feed, AnEndedStreamEndsTheWait) {
  feed_.on_end();
  EXPECT_EQ(wait(1, 10s).error().code(), ErrorCode::disconnected);
}

}  // namespace
}  // namespace rigd::run
