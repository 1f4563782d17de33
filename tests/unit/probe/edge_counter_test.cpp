#include "probe/edge_counter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/detached.hpp>

#include "../io/await.hpp"
#include "edge_bytes.hpp"
#include "io/fd_stream.hpp"
#include "io/timer.hpp"

namespace rigd::probe {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct Kept final : EdgeSink {
  void on_edge(const CountedEdge& edge) override { edges.push_back(edge); }
  std::vector<CountedEdge> edges;
};

constexpr CountedEdge kRise{.sequence = 0, .instructions = 1, .cycles = 2, .pin = 0, .level = 1};
constexpr CountedEdge kFall{.sequence = 1, .instructions = 3, .cycles = 4, .pin = 0, .level = 0};

class EdgeCounterTest : public testing::Test {
 protected:
  void SetUp() override {
    auto pair = io::make_stream_pair(context_.get_executor());
    ASSERT_TRUE(pair);
    counter_ = std::make_unique<EdgeCounter>(std::move(pair->first));
    board_ = std::move(pair->second);
  }

  void send(const std::vector<std::byte>& bytes) {
    ASSERT_TRUE(rigd::test::await(context_, board_->write(bytes, Deadline::in(1s))));
  }
  Result<void> open(Duration patience) {
    return rigd::test::await(context_, counter_->open(Deadline::in(patience)));
  }

  boost::asio::io_context context_;
  std::unique_ptr<EdgeCounter> counter_;
  io::StreamPtr board_;
  Kept kept_;
};

TEST_F(EdgeCounterTest, HandsOverEdgesUntilStopped) {
  send(test::edge_header());
  ASSERT_TRUE(open(1s));
  send(test::edge_record(kRise));
  auto stop_soon = [this]() -> io::Awaitable<void> {
    co_await io::sleep_until(Deadline::in(30ms));
    const auto bytes = test::edge_record(kFall);
    (void)co_await board_->write(bytes, Deadline::in(1s));
    counter_->stop();
  };
  boost::asio::co_spawn(context_, stop_soon(), boost::asio::detached);
  EXPECT_TRUE(rigd::test::await(context_, counter_->stream(kept_)));
  EXPECT_THAT(kept_.edges, ElementsAre(kRise, kFall));
}

TEST_F(EdgeCounterTest, KeepsEdgesThatCameWithTheHeader) {
  auto bytes = test::edge_header();
  for (const std::byte byte : test::edge_record(kRise))
    bytes.push_back(byte);
  send(bytes);
  ASSERT_TRUE(open(1s));
  board_->close();
  const auto ended = rigd::test::await(context_, counter_->stream(kept_));
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code(), ErrorCode::probe_lost);
  EXPECT_THAT(kept_.edges, ElementsAre(kRise));
}

TEST_F(EdgeCounterTest, DoesNotWaitForeverForTheHeader) {
  const auto opened = open(20ms);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::timeout);
}

TEST_F(EdgeCounterTest, RefusesAnotherStream) {
  send(std::vector<std::byte>(16, std::byte{'x'}));
  const auto opened = open(1s);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::probe_identity);
}

}  // namespace
}  // namespace rigd::probe
